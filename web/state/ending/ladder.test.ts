// Table of steps: possible steps, the next one, and those that need confirmation.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { asksFirst, hasProof, mayStep, nextStep, stepsOf, type Step } from './ladder.ts';

const MINUTE = 60_000;
const NOW = 100 * MINUTE;
const act = (how: ProcessInfo['acts'][number]['how'], atMs = NOW - 1000) => ({
  who: 'Ada',
  how,
  atMs,
  afterSeq: 7,
});
const terminating = { terminatingSinceMs: NOW - 1000, killAtMs: NOW + 4000 } as const;
const gone = [{ pid: 7, name: 'sleep' }] as const;

describe('The steps', () => {
  it.each([
    ['runs', {}, ['interrupt', 'terminate', 'kill'], 'interrupt'],
    [
      'was interrupted and is still running',
      { acts: [act('interrupt')] },
      ['interrupt', 'terminate', 'kill'],
      'terminate',
    ],
    ['waits for approval', { state: 'waiting-for-approval' }, [], null],
    ['is suspended', { acts: [act('suspend')] }, ['interrupt', 'terminate', 'kill'], 'interrupt'],
    ['is being terminated', { ...terminating, acts: [act('terminate')] }, ['kill'], 'kill'],
    ['is being killed', { ...terminating, acts: [act('terminate'), act('kill')] }, [], null],
    ['has ended and left processes behind', { state: 'exited' }, ['terminate', 'kill'], 'terminate'],
    [
      'has ended, and whose remaining processes are being terminated',
      { state: 'exited', ...terminating, acts: [act('terminate')] },
      ['kill'],
      'kill',
    ],
    [
      'has ended, but whose escaped processes keep the output open',
      { state: 'exited', allEndedAtMs: NOW, escaped: gone },
      ['endEscaped'],
      'endEscaped',
    ],
    ['is over', { state: 'closed' }, [], null],
    ['is lost', { state: 'lost' }, [], null],
    ['is over, with escaped processes', { state: 'closed', escaped: gone }, ['endEscaped'], 'endEscaped'],
  ] as const)('are offered for a process that %s', (_, change, steps, next) => {
    const info = processInfo(change);
    expect(stepsOf(info)).toEqual(steps);
    expect(nextStep(info)).toBe(next);
    for (const step of steps) expect(mayStep(info, step)).toBe(true);
  });
});

describe('A confirmation is asked for', () => {
  const old = { startedAtMs: NOW - 6 * MINUTE } as const;
  it.each([
    ['only when there is work to lose', { startedAtMs: NOW - 4 * MINUTE }, 'terminate', false],
    ['before a long-running process is terminated', old, 'terminate', true],
    ['before a long-running process is killed at once', old, 'kill', true],
    ['never before an interrupt', old, 'interrupt', false],
    [
      'not when the process was interrupted just before',
      { ...old, acts: [act('interrupt')] },
      'terminate',
      false,
    ],
    [
      'when the last interrupt was long ago',
      { ...old, acts: [act('interrupt', NOW - 2 * MINUTE)] },
      'terminate',
      true,
    ],
    ['not again for the next step', { ...old, ...terminating }, 'kill', false],
    ['not for processes that an ended one left behind', { ...old, state: 'exited' }, 'terminate', false],
    [
      'not for processes that escaped a termination',
      { ...old, state: 'closed', escaped: gone },
      'endEscaped',
      false,
    ],
  ] as const)('%s', (_, change, step: Step, isAsked) => {
    expect(asksFirst(processInfo(change), step, NOW)).toBe(isAsked);
  });
});

it('an end is proven when the gateway found no process left, escaped or not, and no open output', () => {
  expect(hasProof(processInfo({ state: 'closed' }))).toBe(false);
  expect(hasProof(processInfo({ state: 'closed', allEndedAtMs: 5 }))).toBe(true);
  expect(hasProof(processInfo({ state: 'running', allEndedAtMs: 5 }))).toBe(false);
  expect(hasProof(processInfo({ state: 'closed', allEndedAtMs: 5, escaped: gone }))).toBe(false);
  expect(hasProof(processInfo({ state: 'exited', allEndedAtMs: 5, outputHeld: true }))).toBe(false);
});
