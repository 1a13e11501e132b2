// Tests of the forms of wrappers: rules RL3 to RL5 and AP12.
import { describe, expect, it } from 'vitest';
import { isFedByStdin } from './fed-by-stdin.ts';
import { judge } from './judge.ts';
import { parseRules } from './rule-parser.ts';
import { RuleSet } from './rule.ts';
import { verdictOf } from './verdict.ts';

const ALLOWED =
  'ls echo date sh arch chroot env faketime flock gosu nice runcon screen script setlock setuidgid sg ssh su sudo ' +
  'taskset timeout tmux watch xargs';
const RULES = new RuleSet(
  parseRules(
    ALLOWED.split(' ')
      .map((name) => `prefix_rule(pattern=["${name}"])`)
      .join('\n'),
    'x.rules',
  ),
  '/usr/bin',
);

const kindOf = (argv: readonly string[]): string =>
  verdictOf(RULES, judge(RULES, { argv, arg0: null }), { policy: 'always', variables: [], tightened: null })
    .kind;

describe('A wrapper whose program is allowed', () => {
  it.each(
    [
      'flock ls ls -l',
      'flock -n -w 5 -E1 ls ls',
      'flock 9',
      'timeout -s KILL -k5 10 ls',
      'nice -n 5 ls',
      'nice -15 ls',
      'taskset -c 0-3 ls',
      'xargs -0 -n1 -P 4 ls',
      'setlock -n x ls',
      'gosu ada ls',
      'faketime yesterday ls',
      'env -- CI=1 ls',
      'sudo CI=1 ls',
    ].map((line) => [line]),
  )('[RL5] runs without asking: %s', (line) => expect(kindOf(line.split(' '))).toBe('run'));
});

describe('A wrapper that may run something else', () => {
  it.each(
    [
      // The first operand is not the program.
      'flock ls ./evil.sh',
      'flock ls sh -c ./evil.sh',
      'flock -n ls -c ./evil.sh',
      'flock -w ls ls ./evil.sh',
      'setlock ls ./evil.sh',
      'gosu ls ./evil.sh',
      'setuidgid ls ./evil.sh',
      'runcon ls ./evil.sh',
      'taskset date ./evil.sh',
      'timeout ls ./evil.sh',
      'faketime ls ./evil.sh',
      // A number or an assignment is the program.
      'nice 5 ls',
      'nice USER=/x ls',
      // The program is found elsewhere, or a shell reads the words.
      'chroot /x ls',
      'ssh ls ls',
      'sg ls ls',
      'su ls',
      'watch ls',
      'tmux ls',
      'screen ls',
      'script ls',
      'chroot ls',
      // Unknown options.
      'timeout -x 5 ls',
      'xargs -I ls ls',
      'sudo -u ada ls',
      'flock --nonblock ls ls',
    ].map((line) => [line]),
  )('[RL4][RL5] waits: %s', (line) => {
    expect(kindOf(line.split(' '))).toBe('ask');
    expect(kindOf(['bash', '-c', line])).toBe('ask');
  });

  it.each(['echo ./evil.sh | script echo', 'echo id | script ls', 'echo id | env sh', 'echo id | su'])(
    '[RL3][RL5] waits, since a shell reads what is printed: %s',
    (script) => expect(kindOf(['bash', '-c', script])).toBe('ask'),
  );

  it.each(['script ls', 'su ls', 'chroot ls', 'flock ls sh', 'chroot /x cat'])(
    '[AP12] may execute its input: %s',
    (line) => expect(isFedByStdin(line.split(' '), true)).toBe(true),
  );

  it('[AP12] reads its input as data with an operand and a program that does', () => {
    expect(isFedByStdin(['flock', 'sh.lock', 'cat'], true)).toBe(false);
  });
});
