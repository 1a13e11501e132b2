// Tests of commands that are too long to be examined completely: rules RL4, RL6 and RL8.
import { describe, expect, it } from 'vitest';
import type { ApprovalPolicy } from '../../../protocol/rules.ts';
import { judge } from './judge.ts';
import { parseRules } from './rule-parser.ts';
import { RuleSet } from './rule.ts';
import { verdictOf, type Verdict } from './verdict.ts';

const rulesOf = (source: string): RuleSet => new RuleSet(parseRules(source, 'x.rules'), '/usr/bin:/bin');

const verdict = (
  rules: RuleSet,
  argv: readonly string[],
  { policy }: { readonly policy: ApprovalPolicy },
): Verdict =>
  verdictOf(rules, judge(rules, { argv, arg0: null }), { policy, variables: [], tightened: null });

const bash = (script: string): string[] => ['/bin/bash', '-lc', script];

describe('a command that is too long to be examined completely', () => {
  const many = (count: number, command: string): string => Array(count).fill(command).join('; ');
  const deep = (script: string, depth: number): string[] =>
    depth === 0 ? bash(script) : ['env', ...deep(script, depth - 1)];
  const hidden: [string, string[]][] = [
    ['many commands', bash(`${many(6000, 'true')}; rm -rf x`)],
    ['many commands that are no plain words', bash(`${many(6000, '$a')}; rm -rf x`)],
    ['many words', ['sh', '-c', 'rm -rf x', ...Array<string>(6000).fill('x')]],
    ['long words', bash(`echo ${'x'.repeat(200_000)}; rm -rf x`)],
    ['commands in commands', deep('rm -rf x', 12)],
  ];
  const FORBIDS = rulesOf('prefix_rule(pattern=["rm"], decision="forbidden")');

  it.each(hidden)('[RL6] needs approval under every policy that asks: %s', (_what, argv) => {
    for (const policy of ['on-request', 'on-failure', 'always'] as const)
      expect(verdict(rulesOf(''), argv, { policy })).toMatchObject({ kind: 'ask', proposal: [] });
    expect(verdict(rulesOf(''), argv, { policy: 'never' })).toEqual({ kind: 'run' });
  });

  it.each(hidden)('[RL8] does not run where a rule forbids a command: %s', (_what, argv) => {
    for (const policy of ['never', 'on-request', 'always'] as const)
      expect(verdict(FORBIDS, argv, { policy }).kind).not.toBe('run');
    expect(verdict(FORBIDS, argv, { policy: 'never' }).kind).toBe('refuse');
  });

  /** Returns the number of words that were compared with rules. */
  function looked(argv: readonly string[]): number {
    const rules = rulesOf('');
    let count = 0;
    rules.matching = ({ length }) => ((count += length), []);
    judge(rules, { argv, arg0: null });
    return count;
  }
  const wrapped = (words: number): string[] => ['env', ...Array<string>(words).fill('a')];

  it('[RL4] is not examined completely', () => {
    expect(looked(wrapped(200_000))).toBeLessThan(looked(wrapped(4000)));
  });

  const inEight = (...words: string[]): string[] => [...Array<string>(8).fill('env'), ...words];
  const tail = 'a '.repeat(64);
  it.each([
    ['files of redirections', inEight(`-abcd ${'<a'.repeat(62_000)}`)],
    ['commands in an option', inEight(`-abcd ${';a'.repeat(62_000)}`)],
    ['long files of redirections', inEight(`-abcd ${`<${tail}`.repeat(900)}`)],
    ['assignments', inEight(`-abcd ${';A=1'.repeat(31_000)}`)],
    ['braces', inEight(`-abcd ${'{a,b}'.repeat(20_000)}`)],
    ['many scripts', inEight(...Array<string>(50).fill(`-abcd ${`<${'a '.repeat(19)}`.repeat(60)}`))],
  ])('[RL4] is not examined completely: %s', (_what, argv) => {
    expect(judge(rulesOf(''), { argv, arg0: null }).isCutShort).toBe(true);
    expect(looked(argv)).toBeLessThan(700_000);
  });
});
