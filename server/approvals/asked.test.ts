// Limits on what a waiting request retains and shows of a long script: rules LI17 and RL7.
import { expect, it } from 'vitest';
import { judge, proposalFor } from '../policy/rules/judge.ts';
import { NO_RULES, RuleSet } from '../policy/rules/rule.ts';
import { verdictOf } from '../policy/rules/verdict.ts';
import { whyOf } from './asked.ts';

const rules = new RuleSet(NO_RULES, '/usr/bin:/bin');
const script = (commands: number): string[] => [
  'bash',
  '-c',
  Array.from({ length: commands }, (_, at) => `make target-${at}`).join('; '),
];

it.each([
  { commands: 2, shown: 2, offered: 2, examined: 2 },
  { commands: 50, shown: 50, offered: 50, examined: 50 },
  { commands: 51, shown: 0, offered: 0, examined: 51 },
  { commands: 4000, shown: 0, offered: 0, examined: 500 },
])('[LI17][RL7] a request with $commands commands shows $shown and offers $offered rules', (expected) => {
  const judged = judge(rules, { argv: script(expected.commands), arg0: null });
  const verdict = verdictOf(rules, judged, { policy: 'always', variables: [], tightened: null });
  const why = whyOf(verdict, judged, null);
  expect(verdict.kind).toBe('ask');
  expect(judged.parts).toHaveLength(expected.examined);
  expect(why.parts).toHaveLength(expected.shown);
  expect(why.proposedRules).toHaveLength(expected.offered);
  expect(proposalFor(judged)).toHaveLength(expected.offered);
});
