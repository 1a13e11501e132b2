// Flags and words, and the start of another program's command line.
import { describe, expect, it } from 'vitest';
import { parseCommandLine, parseWords } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const SPECS = {
  tty: { type: 'boolean', short: 't' },
  label: { type: 'string', short: 'l' },
  env: { type: 'string', short: 'e', multiple: true },
} as const;

describe('a command line', () => {
  it.each([
    ['ends the flags by itself', ['-t', 'ls', '-l', '--label', 'x'], ['ls', '-l', '--label', 'x'], null],
    ['may be set off', ['--label', 'a', '--', '-x', '--', 'y'], ['-x', '--', 'y'], 'a'],
    ['begins after a value', ['--label', 'ls', 'ls', '-a'], ['ls', '-a'], 'ls'],
    ['begins after a short value', ['-l', 'ls', 'ls'], ['ls'], 'ls'],
    ['begins after a joined value', ['--label=a', 'ls'], ['ls'], 'a'],
    ['may be a dash', ['-', '-t'], ['-', '-t'], null],
    ['may be nothing', ['-t'], [], null],
  ])('%s', (_, argv, words, label) => {
    const args = parseCommandLine(argv, SPECS);
    expect([args.words, args.text('label')]).toEqual([words, label]);
  });
});

describe('words', () => {
  it.each([
    ['stand anywhere', ['a', '-t', 'b'], ['a', 'b'], true],
    ['may be set off', ['a', '--', '-t', '--tty'], ['a', '-t', '--tty'], false],
  ])('%s', (_, argv, words, tty) => {
    const args = parseWords(argv, SPECS);
    expect([args.words, args.has('tty')]).toEqual([words, tty]);
  });

  it('leaves alone what a flag is given', () => {
    const args = parseWords(['-e', 'A=1', '--env=B=2', 'x'], SPECS);
    expect([args.texts('env'), args.words]).toEqual([['A=1', 'B=2'], ['x']]);
  });
});

describe('what is not understood', () => {
  it.each([
    [['--nothing'], "Unknown option '--nothing'"],
    [['-x'], "Unknown option '-x'"],
    [['--label'], "Option '-l, --label <value>' argument missing"],
    [['--label='], '--label: expected a value'],
    [['--label', 'a', '-l', 'b'], '-l was given twice'],
    [['--tty=yes'], "Option '-t, --tty' does not take an argument"],
  ])('%j: %s', (argv, message) => {
    for (const parse of [parseWords, parseCommandLine]) {
      expect(() => parse(argv, SPECS)).toThrow(UsageError);
      expect(() => parse(argv, SPECS)).toThrow(message);
    }
  });
});
