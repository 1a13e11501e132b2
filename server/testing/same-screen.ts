// Compares a terminal that was restored from a snapshot with one that received all output.
import { expect } from 'vitest';
import { Screen } from '../screens/screen.ts';
import { freshTerminal, seen, written } from './seen-terminal.ts';

export const SIZE = { rows: 8, cols: 20 };
export const SCROLLBACK = 30;

/** Expects the same state after `before` and `after`, whether or not the terminal is restored in between. */
export async function expectSame(before: Buffer, after: Buffer): Promise<void> {
  const screen = new Screen(SIZE, SCROLLBACK);
  await screen.feed(before);
  const fresh = freshTerminal(SIZE, SCROLLBACK);
  await written(fresh, screen.snapshot(SCROLLBACK));
  await written(fresh, after);
  const whole = freshTerminal(SIZE, SCROLLBACK);
  await written(whole, before);
  await written(whole, after);
  expect(seen(fresh)).toEqual(seen(whole));
  screen.dispose();
  fresh.dispose();
  whole.dispose();
}
