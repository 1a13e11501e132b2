// Compares the view of many lines with the text of each line.
import { describe, expect, it } from 'vitest';
import { Dice } from '../../client/testing/dice.ts';
import { plainLine } from '../../text/plain-text.ts';
import { linesOf, plainView, textOf } from './plain-view.ts';

const PIECES = [
  'word',
  'Größe ✓',
  '日本',
  ' ',
  '\t',
  '\r',
  '\r\r',
  '\b',
  '\u0000',
  '\u0007',
  '\u007f',
  '\u0085',
  '\u009b31m',
  '\u001b[31m',
  '\u001b[0m',
  '\u001b[K',
  '\u001b[0K',
  '\u001b[2K',
  '\u001b[?K',
  '\u001b[J',
  '\u001b[1J',
  '\u001b[2K\r',
  '\r\u001b[K',
  '\u001b[3D',
  '\u001b[5C',
  '\u001b[2@',
  '\u001b7',
  '\u001b8',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://x\u001b\\',
  '\u001b]0;not ended',
  '\u001b[1;',
  '\u001b(B',
  '\u001b',
] as const;

const line = (dice: Dice): string =>
  Array.from({ length: dice.pick(0, 7) }, () => dice.oneOf(PIECES)).join('');

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
const read = (raw: string): string[] => linesOf(plainView(bytesOf(raw))).map(textOf);
const withoutReturns = (text: string): string => text.replace(/\r+$/, '');

describe('plainView', () => {
  it('shows each line as plainLine does, whatever its neighbours are', () => {
    const dice = new Dice(7);
    for (let round = 0; round < 3000; round += 1) {
      const lines = Array.from({ length: 4 }, () => line(dice));
      expect(read(lines.join('\n'))).toEqual(lines.map((each) => plainLine(withoutReturns(each))));
    }
  });

  it('appends erased text to its line on request', () => {
    const raw = 'secret\rpublic\u001b[K\nplain';
    expect(plainView(raw, true).split('\n')).toEqual(['public\u0000secretpublic', 'plain']);
  });
});
