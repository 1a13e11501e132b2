// Output is parsed at the size set before it, however much is written at once.
import { expect, it } from 'vitest';
import { freshTerminal, written } from '../../../server/testing/seen-terminal.ts';
import { screenText } from './buffer-text.ts';
import { TerminalWriter } from './terminal-output.ts';

const STEPS = [
  'small',
  { rows: 30, cols: 100 },
  '\u001b[2J\u001b[30;90Hlarge',
  { rows: 30, cols: 100 },
  '\u001b[10;95Hwrapped at 100',
  { rows: 10, cols: 40 },
  { rows: 12, cols: 30 },
  '\r\nlast, wrapped at thirty columns',
] as const;
const FIRST = { rows: 24, cols: 80 };

it('a TerminalWriter parses each piece at the size that was set before it', async () => {
  const seen = freshTerminal(FIRST, 100);
  for (const step of STEPS) {
    if (typeof step === 'string') await written(seen, Buffer.from(step));
    else seen.resize(step.cols, step.rows);
  }
  const terminal = freshTerminal(FIRST, 100);
  const writer = new TerminalWriter(terminal);
  const sizes: string[] = [];
  for (const step of STEPS) {
    if (typeof step === 'string') writer.write(step);
    else writer.resize(step, () => sizes.push(`${terminal.rows}×${terminal.cols}`));
  }
  await new Promise<void>((resolve) => writer.inTurn(resolve));
  expect(screenText(terminal)).toEqual(screenText(seen));
  // Unchanged sizes are omitted.
  expect(sizes).toEqual(['30×100', '10×40', '12×30']);
});

it('a TerminalWriter runs a callback after all earlier writes, and before all later ones', async () => {
  const terminal = freshTerminal(FIRST, 100);
  const writer = new TerminalWriter(terminal);
  const lines: string[] = [];
  const look = (): void => void lines.push(screenText(terminal).lines.join(''));
  writer.write('one');
  writer.inTurn(look);
  writer.resize({ rows: 5, cols: 10 }, look);
  writer.inTurn(look);
  writer.write(' two');
  await new Promise<void>((resolve) => writer.inTurn(resolve));
  look();
  expect(lines).toEqual(['one', 'one', 'one', 'one two']);
});

it('a TerminalWriter writes bytes in small pieces, and reports once that all of them are parsed', async () => {
  const pieces: number[] = [];
  const writer = new TerminalWriter({
    ...FIRST,
    resize: () => undefined,
    write: (data: string | Uint8Array, parsed?: () => void) => {
      pieces.push(data.length);
      parsed?.();
    },
  });
  let parsed = 0;
  writer.write(new Uint8Array(5000), () => (parsed += 1));
  writer.write(new Uint8Array(2048), () => (parsed += 1));
  expect(pieces).toEqual([2048, 2048, 904, 2048]);
  expect(parsed).toBe(2);
});
