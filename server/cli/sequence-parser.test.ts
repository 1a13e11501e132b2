// Text and control sequences told apart, wherever the output is cut, in time that grows no faster than the output.
import { describe, expect, it } from 'vitest';
import { SequenceParser, spell } from './sequence-parser.ts';

const ESC = '\u001b';

/** What a parser tells of the pieces: texts joined, sequences as they are spelled. */
function told(...pieces: readonly string[]): string[] {
  const parser = new SequenceParser();
  const all: string[] = [];
  let text = '';
  const end = (): void => {
    if (text !== '') all.push(text);
    text = '';
  };
  const add = (each: string): void => {
    end();
    all.push(each);
  };
  for (const piece of pieces) {
    parser.parse(piece, {
      text: (run) => (text += run),
      control: add,
      sequence: (sequence) => add(spell(sequence)),
    });
  }
  end();
  return all;
}

it.each([
  ['text and lines', 'häß\r\n漢字\t🙂', ['häß\r\n漢字\t🙂']],
  ['numbers with zeros, gaps and parts', `${ESC}[?007;;38:2::1m`, [`${ESC}[?7;;38:2::1m`]],
  ['a number that would wrap around', `${ESC}[4294967299J`, [`${ESC}[65535J`]],
  [
    'controls in a sequence, which come first',
    `${ESC}[3\r\u000e\u00001\u007fm`,
    ['\r', '\u000e', '\u0000', `${ESC}[31m`],
  ],
  ['a sequence in C1', '\u009b31m\u0085\u009d0;t\u009c', [`${ESC}[31m`, `${ESC}E`, `${ESC}]0;t${ESC}\\`]],
  [
    'a string that BEL, ST or any ESC ends',
    `${ESC}]0;a\u0007${ESC}]1;b${ESC}\\${ESC}]2;c${ESC}[m`,
    [`${ESC}]0;a${ESC}\\`, `${ESC}]1;b${ESC}\\`, `${ESC}\\`, `${ESC}]2;c${ESC}\\`, `${ESC}[m`],
  ],
  ['a BEL that ends no string but OSC', `${ESC}Pa\u0007b${ESC}\\`, [`${ESC}Pab${ESC}\\`, `${ESC}\\`]],
  ['sequences that CAN and SUB break off', `${ESC}]0;a\u0018b${ESC}[3\u001ac`, ['bc']],
  ['a sequence that a letter breaks off', `${ESC}[3éx`, ['éx']],
  ['a sequence that begins anew', `${ESC}[3${ESC}[4m`, [`${ESC}[4m`]],
  ['sequences that are none', `${ESC}[1?h${ESC}[ 1h${ESC}[??1hx`, ['x']],
  ['a string that is too long', `${ESC}]0;${'x'.repeat(5000)}\u0007y`, [`${ESC}]${ESC}\\`, 'y']],
])('reads %s, wherever they are cut', (_, output, expected) => {
  expect(told(output)).toEqual(expected);
  expect(told(...output.split(''))).toEqual(expected);
});

/** Pieces of what is hard on a scanner, put together at random. */
const PIECES = [
  ...'\u0000 \u007f \u0018 \r \u0007 x é \u0301 \ufffd \u009b \u009c \u0090 0 ; : $ ? 8;; h'.split(' '),
  ...['', '[', ']', 'P', '_G', '[?', '\\'].map((after) => `${ESC}${after}`),
  ' ',
];

/** The least time of several, which is the one that least else has part in. */
function msFor(output: string): number {
  const times = Array.from({ length: 5 }, () => {
    const parser = new SequenceParser();
    const start = performance.now();
    parser.parse(output, { text: () => undefined, control: () => undefined, sequence: () => undefined });
    return performance.now() - start;
  });
  return Math.min(...times);
}

describe('the time that it takes grows no faster than the output', () => {
  const times = 64;
  const length = 4000;
  /** What grows with the square of the output grows 64 times as much; the rest is for a busy machine. */
  const most = (ms: number): number => ms * times * 12 + 20;

  it.each([
    ['NULs in a sequence', `${ESC}[`, '\u0000', '\ufffd'],
    ['sequences that begin and do not end', '', ESC, ''],
    ['strings that begin and do not end', '', `${ESC}]`, ''],
    ['a string without an end', `${ESC}]`, 'x', ''],
    ['digits', `${ESC}[`, '9', ''],
    ['numbers', `${ESC}[`, '1;', ''],
    ['parts of numbers', `${ESC}[`, ':1', ''],
    ['spaces in a sequence', `${ESC}[`, ' ', ''],
  ])('of %s', (_, before, repeated, after) => {
    const output = (count: number): string => before + repeated.repeat(count) + after;
    expect(msFor(output(length * times))).toBeLessThan(most(msFor(output(length))));
  });

  it('of anything', () => {
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 20; round += 1) {
      const pieces = Array.from({ length: 1 + next(4) }, () => PIECES[next(PIECES.length)] ?? '').join('');
      const output = (count: number): string => pieces.repeat(count);
      expect(msFor(output(1000 * times)), JSON.stringify(pieces)).toBeLessThan(most(msFor(output(1000))));
    }
  });
});
