// Text and control sequences are parsed correctly, wherever the output is split.
import { expect, it } from 'vitest';
import { SequenceParser, spell } from './sequence-parser.ts';

const ESC = '\u001b';

/** Returns the parser's events for the chunks: text joined, sequences as they are spelled. */
function parsed(...pieces: readonly string[]): string[] {
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

const numbers = (count: number, separator: string): string =>
  Array.from({ length: count }, (_, at) => at + 1).join(separator);

it.each([
  ['text and lines', 'häß\r\n漢字\t🙂', ['häß\r\n漢字\t🙂']],
  ['numbers with zeros, gaps and parts', `${ESC}[?007;;38:2::1m`, [`${ESC}[?7;;38:2::1m`]],
  ['a number that would wrap around', `${ESC}[4294967299J`, [`${ESC}[65535J`]],
  [
    'controls in a sequence, which are reported first',
    `${ESC}[3\r\u000e\u00001\u007fm`,
    ['\r', '\u000e', '\u0000', `${ESC}[31m`],
  ],
  ['a sequence in C1', '\u009b31m\u0085\u009d0;t\u009c', [`${ESC}[31m`, `${ESC}E`, `${ESC}]0;t${ESC}\\`]],
  [
    'strings that BEL, ST or any ESC ends',
    `${ESC}]0;a\u0007${ESC}]1;b${ESC}\\${ESC}]2;c${ESC}[m`,
    [`${ESC}]0;a${ESC}\\`, `${ESC}]1;b${ESC}\\`, `${ESC}\\`, `${ESC}]2;c${ESC}\\`, `${ESC}[m`],
  ],
  [
    'strings that any C1 control ends',
    `${ESC}]0;a\u0085${ESC}]1;b\u009b1m\u009d2;c\u009d3;d\u0007`,
    [
      `${ESC}]0;a${ESC}\\`,
      `${ESC}E`,
      `${ESC}]1;b${ESC}\\`,
      `${ESC}[1m`,
      `${ESC}]2;c${ESC}\\`,
      `${ESC}]3;d${ESC}\\`,
    ],
  ],
  ['a BEL that ends no string except OSC', `${ESC}Pa\u0007b${ESC}\\`, [`${ESC}Pab${ESC}\\`, `${ESC}\\`]],
  ['sequences that CAN and SUB cancel', `${ESC}]0;a\u0018b${ESC}[3\u001ac`, ['bc']],
  ['a sequence that a letter cancels', `${ESC}[3éx`, ['éx']],
  ['a sequence that another one cancels', `${ESC}[3${ESC}[4m`, [`${ESC}[4m`]],
  ['invalid sequences', `${ESC}[1?h${ESC}[ 1h${ESC}[??1hx`, ['x']],
  ['too many parameters', `${ESC}[${numbers(70, ';')}m`, [`${ESC}[${numbers(64, ';')}m`]],
  ['as many parameters as possible', `${ESC}[${numbers(64, ';')}m`, [`${ESC}[${numbers(64, ';')}m`]],
  ['too many numbers of one parameter', `${ESC}[${numbers(70, ':')};1m`, [`${ESC}[${numbers(64, ':')};1m`]],
  ['a string that is too long', `${ESC}]0;${'x'.repeat(5000)}\u0007y`, [`${ESC}]${ESC}\\`, 'y']],
])('SequenceParser reads %s, wherever they are split', (_, output, expected) => {
  expect(parsed(output)).toEqual(expected);
  expect(parsed(...output.split(''))).toEqual(expected);
});
