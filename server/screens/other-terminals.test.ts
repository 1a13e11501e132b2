// Tests of snapshots on terminals that differ from xterm.js: rule SN1. Most have one region and one set of
// tab stops for both screens; tmux has no pending wrap while wrapping is off.
import type { Terminal } from '@xterm/headless';
import { expect, it } from 'vitest';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import { Screen } from './screen.ts';

const SIZE = { rows: 8, cols: 20 };

interface Shared {
  scrollTop: number;
  scrollBottom: number;
  tabs: object;
}

/** Returns a terminal whose screens share region and tab stops. */
function terminalOfOneRegion(): Terminal {
  const terminal = freshTerminal(SIZE, 0);
  const { normal, alt } = (
    Reflect.get(terminal, '_core') as { _bufferService: { buffers: { normal: Shared; alt: Shared } } }
  )['_bufferService'].buffers;
  terminal.buffer.onBufferChange(({ type }) => {
    const [from, to] = type === 'alternate' ? [normal, alt] : [alt, normal];
    to.scrollTop = from.scrollTop;
    to.scrollBottom = from.scrollBottom;
    to.tabs = { ...from.tabs };
  });
  return terminal;
}

async function snapshotAfter(output: string): Promise<Buffer> {
  const screen = new Screen(SIZE, 0);
  await screen.feed(Buffer.from(output));
  const snapshot = screen.snapshot(0);
  screen.dispose();
  return snapshot;
}

const ROWS = Array.from({ length: 6 }, (_, at) => `row ${at}`).join('\r\n');

it.each([
  ['a region', '\u001b[2;4r\u001b[?1049h\u001b[r\u001b[H'],
  ['a region, like the normal screen', '\u001b[2;4r\u001b[?1049h\u001b[3;6r\u001b[H'],
  [
    'tab stops',
    '\u001b[3g\u001b[1;3H\u001bH\u001b[?1049h\u001b[3g\u001b[G\u001bH\u001b[9G\u001bH\u001b[17G\u001bH\u001b[H',
  ],
  ['other tab stops', '\u001b[3g\u001b[1;3H\u001bH\u001b[?1049h\u001b[3g\u001b[7G\u001bH\u001b[H'],
])(
  '[SN1] a snapshot restores %s of the alternate screen on a terminal that shares them between screens',
  async (_, set) => {
    const [fresh, whole] = [terminalOfOneRegion(), terminalOfOneRegion()];
    await written(fresh, await snapshotAfter(set + ROWS));
    await written(whole, set + ROWS);
    for (const terminal of [fresh, whole]) await written(terminal, `\r\n${ROWS}\r\n\ta\tb`);
    expect(seen(fresh).alternate).toEqual(seen(whole).alternate);
    fresh.dispose();
    whole.dispose();
  },
);

it.each([
  ['letters', 'x'.repeat(20)],
  ['a colour', `\u001b[41m${'x'.repeat(20)}\u001b[m`],
  ['a mark on the last of them', `${'x'.repeat(20)}\u0301`],
  ['wide characters', '漢'.repeat(10)],
  ['a saved cursor', `${'x'.repeat(20)}\u001b7\u001b[3;3H`],
  ['the alternate screen', `${'x'.repeat(20)}\u001b[?1049hfull`],
])(
  '[SN1] a snapshot moves the cursor past the last column by printing with wrap on: %s',
  async (_, output) => {
    const snapshot = (await snapshotAfter(`${output}\u001b[m`)).toString();
    expect(snapshot).not.toContain('\u001b[?7l');
  },
);
