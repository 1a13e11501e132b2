// Tests of a screen inside a control string that is longer than its retained part: rules SN1 and SN5.
import { expect, it } from 'vitest';
import { freshTerminal, written } from '../testing/seen-terminal.ts';
import { Screen } from './screen.ts';

const SIZE = { rows: 8, cols: 20 };
const SCROLLBACK = 30;

it.each([
  ['an image of iTerm2', '\u001b]1337;File=inline=1:', 'Q', '\u0007'],
  ['an image of iTerm2 that ST ends', '\u001b]1337;File=inline=1:', 'Q', '\u001b\\'],
  ['a sixel image', '\u001bPq', 'Q', '\u001b\\'],
  ['an image of kitty', '\u001b_Gf=32;', 'Q', '\u001b\\'],
  ['a private message', '\u001b^', 'Q', '\u001b\\'],
  ['a string that is aborted', '\u001b]52;c;', 'Q', '\u0018'],
  ['a sequence without an end', '\u001b[', '1;', 'm'],
])('[SN1] a snapshot stays inside %s, however long that is', async (_what, opener, filler, end) => {
  const content = filler.repeat(200_000);
  const screen = new Screen(SIZE, SCROLLBACK);
  const feed = async (text: string): Promise<void> => {
    for (let at = 0; at < text.length; at += 30_000)
      await screen.feed(Buffer.from(text.slice(at, at + 30_000)));
  };
  const linesAfter = async (rest: string): Promise<string[]> => {
    const fresh = freshTerminal(SIZE, SCROLLBACK);
    await written(fresh, screen.snapshot(SCROLLBACK));
    await written(fresh, rest);
    const { active } = fresh.buffer;
    const lines = Array.from({ length: 3 }, (_, y) => active.getLine(y)?.translateToString(true) ?? '');
    fresh.dispose();
    return lines;
  };
  await feed(`before\r\n${opener}${content}`);
  expect(await linesAfter(`${content}${end}done`)).toEqual(['before', 'done', '']);
  await feed(`${content}${end}done`);
  expect(await linesAfter('.')).toEqual(['before', 'done.', '']);
  screen.dispose();
});

it('[SN5] a gap in a long string ends it, or continues it when only its inside was skipped', async () => {
  const screen = new Screen(SIZE, SCROLLBACK);
  await screen.feed(Buffer.from(`\u001b]1337;${'Q'.repeat(100_000)}`));
  await screen.gap(Buffer.alloc(0));
  await screen.feed(Buffer.from('outside\r\n'));
  await screen.gap(Buffer.from('\u001b]x'));
  await screen.feed(Buffer.from('QQ\u0007done'));
  const fresh = freshTerminal(SIZE, SCROLLBACK);
  await written(fresh, screen.snapshot(SCROLLBACK));
  const lines = [0, 1, 2].map((y) => fresh.buffer.active.getLine(y)?.translateToString(true));
  expect(lines).toEqual(['outside', 'done', '']);
  fresh.dispose();
  screen.dispose();
});
