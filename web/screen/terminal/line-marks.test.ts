// Requests to show a line of output in a terminal; the search among its rows is tested in a browser.
import type { Terminal } from '@xterm/xterm';
import { expect, it } from 'vitest';
import { LineMarks } from './line-marks.ts';
import type { TerminalWriter } from './terminal-output.ts';

it('a request for a line is superseded by the next one, and a line that is not found is gone', async () => {
  const active = { type: 'normal', length: 0, baseY: 0, cursorY: 0 };
  const writer = { inTurn: (run: () => void) => run() };
  const marks = new LineMarks(
    { buffer: { active } } as unknown as Terminal,
    writer as unknown as TerminalWriter,
  );
  const first = marks.reveal({ offset: 0, text: 'one' }, 10);
  const second = marks.reveal({ offset: 4, text: 'two' }, 10);
  expect(await first).toBe('superseded');
  marks.arrived(10, () => undefined)();
  expect(await second).toBe('gone');
});
