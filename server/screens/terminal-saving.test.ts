// Tests of the state saved and restored with the cursor, on the page's terminals and the gateway's alike:
// rule SN9.
import { expect, it } from 'vitest';
import { freshTerminal, written } from '../testing/seen-terminal.ts';

const SIZE = { rows: 4, cols: 12 };

async function after(output: string) {
  const terminal = freshTerminal(SIZE, 0);
  await written(terminal, output);
  return terminal.buffer.active;
}

async function linesAfter(output: string): Promise<string[]> {
  const active = await after(output);
  const lines = Array.from({ length: SIZE.rows }, (_, y) => active.getLine(y)?.translateToString(true) ?? '');
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

const SETS = [
  ['G0', '\u001b(0'],
  ['G1', '\u001b)0\u000e'],
  ['G2', '\u001b*0\u001bn'],
  ['G3', '\u001b+0\u001bo'],
] as const;

it.each(SETS)('[SN9] %s is ASCII again after a restore', async (_, drawing) => {
  expect(await linesAfter(`\u001b7 ${drawing} test \u001b8 xxx`)).toEqual([' xxx⎽├ ']);
  expect(await linesAfter(`\u001b[s ${drawing} test \u001b[u xxx`)).toEqual([' xxx⎽├ ']);
  expect(await linesAfter(`\u001b[?1048h ${drawing} test \u001b[?1048l xxx`)).toEqual([' xxx⎽├ ']);
  expect(await linesAfter(`\u001b[?1049h ${drawing} test \u001b[?1049l xxx\r\nprompt$ `)).toEqual([
    ' xxx',
    'prompt$ ',
  ]);
});

it.each(SETS)('[SN9] %s is ASCII after a restore without a save', async (_, drawing) => {
  expect(await linesAfter(`\u001b[2;2H${drawing}\u001b8xqx`)).toEqual(['xqx']);
});

it.each(SETS)('[SN9] %s is restored to the saved set, whatever was designated since', async (_, drawing) => {
  expect(await linesAfter(`${drawing}\u001b7\u001b(B\u001b)B\u001b*B\u001b+B\u000fq\u001b8q`)).toEqual(['─']);
});

it('[SN9] a character set on the right side, which UTF-8 does not use, changes nothing', async () => {
  expect(await linesAfter('\u001b)0\u001b*0\u001b+0\u001b~q\u001b}q\u001b|q')).toEqual(['qqq']);
});

it('[SN9] a pending wrap is restored', async () => {
  expect(await linesAfter('123456789012\u001b7\u001b[3;1Hx\u001b8yz')).toEqual(['123456789012', 'yz', 'x']);
  expect(await linesAfter('123456789012\u001b[?1049hx\u001b[?1049lyz')).toEqual(['123456789012', 'yz']);
});

it('[SN9] a restored row is relative to the screen, however far its line has scrolled', async () => {
  for (const [save, restore] of [
    ['\u001b7', '\u001b8'],
    ['\u001b[s', '\u001b[u'],
    ['\u001b[?1048h', '\u001b[?1048l'],
  ]) {
    const terminal = freshTerminal(SIZE, 50);
    await written(terminal, `\u001b[4;1H${save}one\r\ntwo\r\nthree${restore}X`);
    const { active } = terminal.buffer;
    const shown = Array.from({ length: SIZE.rows }, (_, y) => active.getLine(active.baseY + y));
    expect(shown.map((line) => line?.translateToString(true))).toEqual(['', 'one', 'two', 'Xhree']);
  }
});

it('[SN9] a restored row follows its line after a resize', async () => {
  const terminal = freshTerminal({ rows: 6, cols: 12 }, 50);
  await written(terminal, `${'\n'.repeat(9)}\r$ vi\u001b[?1049hfull`);
  terminal.resize(12, 4);
  terminal.resize(12, 8);
  await written(terminal, '\u001b[?1049l!');
  const { active } = terminal.buffer;
  expect([active.cursorY, active.getLine(active.baseY + active.cursorY)?.translateToString(true)]).toEqual([
    7,
    '$ vi!',
  ]);
});

it('[SN9] a restore ends a pending wrap that was not pending at the save', async () => {
  expect(await linesAfter('12345678901\u001b7\u001b[2;1H123456789012\u001b8yz')).toEqual([
    '12345678901y',
    'z23456789012',
  ]);
});

it('[SN9] origin mode and autowrap are restored', async () => {
  expect(await linesAfter('\u001b7\u001b[2;3r\u001b[?6h\u001b[?7l\u001b8\u001b[1;11Habc')).toEqual([
    '          ab',
    'c',
  ]);
});

it('[SN9] the shape and the colour of an underline are restored', async () => {
  const curly = '\u001b[4:3m\u001b[58;5;3m';
  const line = (
    await after(`${curly}\u001b7\u001b[4:1m\u001b[59ma\u001b8b\u001b[m\u001b7\u001b[4:4mc\u001b8d`)
  ).getLine(0);
  const underlines = [0, 1].map((x) => {
    const cell = line?.getCell(x) as unknown as {
      extended: { underlineStyle: number; underlineColor: number };
    };
    return [cell.extended.underlineStyle, cell.extended.underlineColor & 0xff];
  });
  expect(line?.translateToString(true)).toBe('bd');
  expect(underlines).toEqual([
    [3, 3],
    [0, 0],
  ]);
});

it('[SN9] protection is restored, and survives a change of colour', async () => {
  expect(await linesAfter('\u001b[1"q\u001b7\u001b[0"qa\u001b8\u001b[31mb\u001b[mc\u001b[?2J')).toEqual([
    'bc',
  ]);
  expect(await linesAfter('\u001b7\u001b[1"qa\u001b[2;1Hb\u001b8\u001b[Cc\u001b[?2J')).toEqual(['a', 'b']);
});

it('[SN9] a soft reset resets the saved state too', async () => {
  expect(await linesAfter('\u001b(0\u001b[2;3r\u001b[?6h\u001b7\u001b[!p\u001b8q\u001b[1;3Hq')).toEqual([
    'q q',
  ]);
});

it('[SN9] a full reset turns off newline mode', async () => {
  expect(await linesAfter('\u001b[20h\u001bcab\nc')).toEqual(['ab', '  c']);
});
