// Tests of the cells of printed text in the gateway's terminal: rules SN11 and HC4.
import type { Terminal } from '@xterm/headless';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { textCells } from '../../text/characters.ts';
import { freshTerminal, written } from '../testing/seen-terminal.ts';

let terminal: Terminal;
beforeEach(() => {
  terminal = freshTerminal({ rows: 4, cols: 40 }, 0);
});
afterEach(() => terminal.dispose());

const row = (y: number): string => terminal.buffer.active.getLine(y)?.translateToString(true) ?? '';

it.each([
  ['an emoji of Unicode 15', '|\u{1FAE0}ok |', 7],
  ['an emoji of Unicode 17', '|\u{1FAEA}ok |', 7],
  ['zero-width spaces', '|git\u200bhub|', 8],
  ['direction marks', '|\u200e\u202ea\u2066b\u2069|', 4],
  ['marks without a base character', '\u0301\ufeff\u200d|', 1],
  ['a mark after a sequence', 'e\u001b[1m\u0301|', 2],
  ['a flag', '|🇩🇪|', 4],
  ['a heart', '|❤\ufe0f|', 4],
  ['a conjunct', '|क्ष|', 4],
])('[SN11] the width of %s is correct', async (_, text, column) => {
  await written(terminal, text);
  expect(terminal.buffer.active.cursorX).toBe(column);
});

it('[SN11] the text of a screen has no format characters', async () => {
  await written(terminal, '|git\u200bhub\u001b[8G|\r\n\ufeff\u202e\u200bstart');
  expect([row(0), row(1)]).toEqual(['|github|', 'start']);
});

it('[SN11] every character of Unicode has the same width on a screen and in a table of the command line', async () => {
  const differing: string[] = [];
  for (let from = 0xa0; from < 0x110000; from += 0x400) {
    const codes = Array.from({ length: 0x400 }, (_, at) => from + at).filter(
      (code) => code < 0x110000 && (code < 0xd800 || code > 0xdfff),
    );
    for (const code of from < 0x20000 || (from >= 0xe0000 && from < 0xe2000) ? codes : codes.slice(0, 4)) {
      const character = String.fromCodePoint(code);
      terminal.write(`\u001b[2G${character}\u001b]9;${code}\u0007`);
    }
  }
  terminal.parser.registerOscHandler(9, (data) => {
    const cells = terminal.buffer.active.cursorX - 1;
    if (cells !== textCells(String.fromCodePoint(Number(data)))) differing.push(data);
    return true;
  });
  await written(terminal, '');
  expect(differing).toEqual([]);
});

it('[SN11] a soft hyphen is drawn as a hyphen in a cell', async () => {
  await written(terminal, 'foo\u00adbar|\r\n\u00adx\u001b(0\u00adq');
  expect([row(0), row(1)]).toEqual(['foo\u2010bar|', '\u2010x\u2010\u2500']);
});

it.each([
  ['printed at once', `a${'\u0301'.repeat(150_000)}`],
  ['printed one by one', 'a\u001b[1;2H\u0301'.repeat(5000)],
  ['on a wide character', `漢${'\u20dd'.repeat(150_000)}`],
  ['that join nothing', `a${'\u200d'.repeat(150_000)}`],
])('[HC4] a cell holds a limited number of marks: %s', async (_, text) => {
  await written(terminal, text);
  const lengths = Array.from({ length: 4 }, (_row, y) => row(y).length);
  expect(Math.max(...lengths)).toBeLessThan(100);
});
