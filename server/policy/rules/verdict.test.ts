// Tests of the reasons for a verdict: each can follow a colon, and names the command where it needs a subject.
import { expect, it } from 'vitest';
import { judge } from './judge.ts';
import { parseRules } from './rule-parser.ts';
import { RuleSet } from './rule.ts';
import { verdictOf } from './verdict.ts';

const FORBIDDING = 'prefix_rule(pattern=["git", "push"], decision="forbidden")';

it.each([
  ['', ['rm', '-rf', 'x'], 'it removes files without confirmation'],
  [FORBIDDING, ['git', 'push'], /^the rule prefix_rule.* forbids$/],
  [FORBIDDING, ['bash', '-c', '"$X" git push'], /^the command may run what the rule prefix_rule.* forbids$/],
] as const)('[RL2][RL6] with the rules %j, the reason for %j is %s', (source, argv, reason) => {
  const rules = new RuleSet(parseRules(source, 'x.rules'), '/usr/bin');
  const verdict = verdictOf(rules, judge(rules, { argv, arg0: null }), {
    policy: 'on-request',
    variables: [],
    tightened: null,
  });
  const shown = verdict.kind === 'run' ? null : verdict.reason;
  expect(shown).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
});

it.each([
  ['always', '', 'it would run again without one'],
  ['on-request', '', 'it would run again without one'],
  ['on-request', 'prefix_rule(pattern=["make"], decision="allow")', null],
  ['never', '', null],
] as const)(
  '[UE11] under %s with the rules %j, a retry without a sandbox waits because of %s',
  (policy, source, reason) => {
    const rules = new RuleSet(parseRules(source, 'x.rules'), '/usr/bin');
    const escalation = 'it would run again without one';
    const circumstances = { policy, variables: [], tightened: null, escalation };
    const verdict = verdictOf(rules, judge(rules, { argv: ['make'], arg0: null }), circumstances);
    expect(verdict.kind === 'run' ? null : verdict.reason).toBe(reason);
  },
);
