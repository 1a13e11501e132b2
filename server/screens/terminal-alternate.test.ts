// Tests of the alternate screen of a terminal that has shrunk, on the page's terminals and the gateway's
// alike.
import { expect, it } from 'vitest';
import { freshTerminal, written } from '../testing/seen-terminal.ts';

const ROWS = 4;

it.each([
  ['was never shown', ''],
  ['was left', '\u001b[?1049hfull\u001b[?1049l'],
  ['was reset', '\u001b[?1049hfull\u001bc'],
])(
  'an alternate screen that %s has no lines above it after the terminal got fewer rows',
  async (_, before) => {
    const terminal = freshTerminal({ rows: 10, cols: 20 }, 50);
    await written(terminal, before);
    terminal.resize(20, ROWS);
    await written(terminal, `\u001b[?1049h${'line\r\n'.repeat(20)}`);
    const { active } = terminal.buffer;
    expect([active.type, active.length, active.baseY]).toEqual(['alternate', ROWS, 0]);
    terminal.resize(20, 10);
    await written(terminal, 'line\r\n'.repeat(20));
    expect([active.length, active.baseY]).toEqual([10, 0]);
    await written(terminal, '\u001b[?1049l');
    expect(terminal.buffer.active.type).toBe('normal');
  },
);
