// Tests of random spellings of one command, each of which a rule that forbids the command must find: rules
// RL3, RL4 and RL6.
import { describe, expect, it } from 'vitest';
import { Dice } from '../../../client/testing/dice.ts';
import { isDangerous } from './dangerous.ts';
import { judge } from './judge.ts';
import { parseRules } from './rule-parser.ts';
import { RuleSet } from './rule.ts';
import { spelled } from './testing/spelling.ts';

const FORBIDDEN = new RuleSet(
  parseRules('prefix_rule(pattern=["git", "push"], decision="forbidden")', 'x.rules'),
  '/usr/bin',
);
const NONE = new RuleSet(parseRules('', 'x.rules'), '/usr/bin');

describe('A command in a random spelling', () => {
  it('[RL3][RL4] is found by a rule that forbids it', () => {
    const missed: string[] = [];
    for (let seed = 0; seed < 500; seed += 1) {
      const script = spelled(['git', 'push'], new Dice(seed));
      const { decision, isCutShort } = judge(FORBIDDEN, { argv: ['bash', '-c', script], arg0: null });
      if (decision !== 'forbidden' && !isCutShort) missed.push(script);
    }
    expect(missed).toEqual([]);
  });

  it('[RL6] is found when it removes files by force', () => {
    const missed: string[] = [];
    for (let seed = 0; seed < 500; seed += 1) {
      const script = spelled(['rm', '-rf'], new Dice(seed));
      const judged = judge(NONE, { argv: ['bash', '-c', script], arg0: null });
      if (!judged.isDangerous && !judged.isCutShort) missed.push(script);
    }
    expect(missed).toEqual([]);
    expect(isDangerous(['rm', '-rf'])).toBe(true);
  });
});
