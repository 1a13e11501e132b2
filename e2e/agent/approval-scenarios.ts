// Commands that need a person's approval, in the agent's default sandbox and with full access.
import assert from 'node:assert/strict';
import type { Scenario } from './scenarios.ts';
import { run } from './scripted-model.ts';

type Decided = Omit<Scenario, 'sandbox' | 'isReferenceWeak'> & Required<Pick<Scenario, 'person'>>;

/**
 * Returns a command that prints the word and 42; the number is computed, so that the command does not contain its
 * output.
 */
const echo = (word: string): string => `echo ${word}-$((6*7))`;

const DECIDED: readonly Decided[] = [
  {
    name: 'approved once: each of two identical commands needs an approval',
    policy: 'always',
    steps: () => [() => [run(echo('first'))], () => [run(echo('first'))]],
    person: async ({ person }) => {
      await person.decide('first', 'accept');
      await person.decide('first', 'accept');
    },
    decisions: ['accept', 'accept'],
    expect: ['first-42', 'first-42'],
  },
  {
    name: 'approved for the session: the second of two identical commands needs no approval',
    policy: 'always',
    steps: () => [() => [run(echo('first'))], () => [run(echo('first'))], () => [run(echo('other'))]],
    person: async ({ person }) => {
      await person.decide('first', 'acceptForSession');
      await person.decide('other', 'accept');
    },
    decisions: ['acceptForSession', 'accept'],
    expect: ['first-42', 'first-42', 'other-42'],
  },
  {
    name: 'declined with a message: the model receives the name and the reason, and continues',
    policy: 'always',
    steps: () => [() => [run(echo('first'))], () => [run(echo('other'))]],
    person: async ({ person }) => {
      await person.decide('first', 'decline', 'use the staging server');
      await person.decide('other', 'accept');
    },
    decisions: ['decline', 'accept'],
    expect: ['declined by Ada: use the staging server', 'other-42'],
  },
  {
    name: 'aborted: the processes of its thread are ended, and its next start is held until it is released',
    steps: ({ person }) => [
      () => [run('exec sleep 1000', { yield_time_ms: 500 })],
      async () => {
        await person.setPolicy('always');
        return [run(echo('first'))];
      },
      () => [run(echo('other'))],
    ],
    person: async ({ person, turns }) => {
      await person.decide('first', 'abort', 'stop here');
      await person.setPolicy('never');
      const held = await person.waitsFor('other');
      assert.equal(held.reason, 'aborted by Ada');
      assert.equal(turns(), 3);
      await person.ended('sleep 1000');
      await person.unpauseAll();
    },
    decisions: ['abort', 'released'],
    expect: ['Process running', 'aborted by Ada: stop here', 'other-42'],
  },
  {
    name: 'paused: its starts are held, one is approved, and the others are released when the pause ends',
    steps: ({ person }) => [
      () => [run(echo('first'))],
      async () => {
        await person.pauseAll();
        return [run(echo('second'))];
      },
      () => [run(echo('third'))],
      () => [run(echo('fourth'))],
    ],
    person: async ({ person, turns }) => {
      const held = await person.decide('second', 'accept');
      assert.equal(held.reason, 'paused by Ada');
      await person.waitsFor('third');
      assert.equal(turns(), 3);
      await person.unpauseAll();
    },
    decisions: ['accept', 'released'],
    expect: ['first-42', 'second-42', 'third-42', 'fourth-42'],
  },
];

export const APPROVAL_SCENARIOS: readonly Scenario[] = (['read-only', 'danger-full-access'] as const).flatMap(
  (sandbox) =>
    DECIDED.map((scenario) => ({
      ...scenario,
      name: `p ${scenario.name} (${sandbox})`,
      sandbox,
      isReferenceWeak: 'it has no approvals',
    })),
);
