// Parsing of flags and words, up to the command line of another program.
import { describe, expect, it } from 'vitest';
import { parseCommandLine, parseWords } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const SPECS = {
  tty: { type: 'boolean', short: 't' },
  label: { type: 'string', short: 'l', value: 'LABEL' },
  policy: { type: 'string', value: 'POLICY', completes: ['never', 'rules', 'always'] },
  env: { type: 'string', short: 'e', multiple: true },
} as const;

describe('A command line', () => {
  it.each([
    [
      'ends the flags with its first word',
      ['-t', 'ls', '-l', '--label', 'x'],
      ['ls', '-l', '--label', 'x'],
      null,
    ],
    ['may follow a double dash', ['--label', 'a', '--', '-x', '--', 'y'], ['-x', '--', 'y'], 'a'],
    ['begins after a value', ['--label', 'ls', 'ls', '-a'], ['ls', '-a'], 'ls'],
    ['begins after a short value', ['-l', 'ls', 'ls'], ['ls'], 'ls'],
    ['begins after a joined value', ['--label=a', 'ls'], ['ls'], 'a'],
    ['may begin with a dash alone', ['-', '-t'], ['-', '-t'], null],
    ['may be empty', ['-t'], [], null],
  ])('%s', (_, argv, words, label) => {
    const args = parseCommandLine(argv, SPECS);
    expect([args.words, args.text('label')]).toEqual([words, label]);
  });
});

describe('Words', () => {
  it.each([
    ['may be anywhere', ['a', '-t', 'b'], ['a', 'b'], true],
    ['may follow a double dash', ['a', '--', '-t', '--tty'], ['a', '-t', '--tty'], false],
  ])('%s', (_, argv, words, tty) => {
    const args = parseWords(argv, SPECS);
    expect([args.words, args.has('tty')]).toEqual([words, tty]);
  });

  it('do not include the values of flags', () => {
    const args = parseWords(['-e', 'A=1', '--env=B=2', 'x'], SPECS);
    expect([args.texts('env'), args.words]).toEqual([['A=1', 'B=2'], ['x']]);
  });
});

describe('A negative number', () => {
  it.each([
    [['--label', '-1', 'x'], '-1'],
    [['-l', '-0.5', 'x'], '-0.5'],
    [['--label=-2', 'x'], '-2'],
  ])('is the value of the flag before it: %j', (argv, value) => {
    for (const parse of [parseWords, parseCommandLine]) {
      const args = parse(argv, SPECS);
      expect([args.text('label'), args.words]).toEqual([value, ['x']]);
    }
  });
});

describe('Invalid flags are rejected', () => {
  it.each([
    [['--nothing'], 'ps has no flag --nothing'],
    [['--polcy', 'never'], 'ps has no flag --polcy; did you mean --policy?'],
    [['-x'], 'ps has no flag -x'],
    [['--label'], '--label needs a value: LABEL'],
    [['--env'], '--env needs a value'],
    [['--policy'], '--policy needs a value: never, rules, or always'],
    [['--policy', '--tty'], '--policy needs a value: never, rules, or always'],
    [['--label='], '--label needs a value'],
    [['--label', 'a', '-l', 'b'], '-l was given twice'],
    [['--tty=yes'], '--tty takes no value'],
  ])('%j: %s', (argv, message) => {
    for (const parse of [parseWords, parseCommandLine]) {
      expect(() => parse(argv, SPECS, 'ps')).toThrow(UsageError);
      expect(() => parse(argv, SPECS, 'ps')).toThrow(message);
    }
  });
});
