// Acknowledgements of output: withheld while the reader has scrolled up, and sent early for a hidden terminal.
import { expect, it } from 'vitest';
import { LogCredit } from './log-credit.ts';

it('a LogCredit withholds acknowledgements while its reader has scrolled up, and then sends each once, in order', () => {
  let isReading = false;
  const calls: (string | boolean)[] = [];
  const credit = new LogCredit({
    isHolding: () => isReading,
    isDrawnLate: () => false,
    changed: (isHeld) => calls.push(isHeld),
  });
  const draw = (name: string, bytes = 1): void => credit.for(() => calls.push(name), bytes)();
  draw('a');
  isReading = true;
  draw('b');
  credit.release();
  expect(calls).toEqual(['a']);
  draw('c', 600_000);
  draw('d', 600_000);
  expect(calls).toEqual(['a', true]);
  isReading = false;
  credit.release();
  credit.release();
  draw('e');
  expect(calls).toEqual(['a', true, false, 'b', 'c', 'd', 'e']);
});

it('a LogCredit does not report held output that is less than one chunk', () => {
  let isReading = true;
  const calls: (string | boolean)[] = [];
  const credit = new LogCredit({
    isHolding: () => isReading,
    isDrawnLate: () => false,
    changed: (isHeld) => calls.push(isHeld),
  });
  credit.for(() => calls.push('a'), 1000)();
  isReading = false;
  credit.release();
  expect(calls).toEqual(['a']);
});

it('a LogCredit acknowledges output early and only once for a hidden terminal, unless the terminal lags too far behind', () => {
  let isHidden = true;
  let isReading = false;
  const given: string[] = [];
  const credit = new LogCredit({
    isHolding: () => isReading,
    isDrawnLate: () => isHidden,
    changed: () => undefined,
  });
  const MIB = 1024 * 1024;
  const comes = (name: string, mib: number): (() => void) => credit.for(() => given.push(name), mib * MIB);
  const first = comes('a', 5);
  const second = comes('b', 3);
  const third = comes('c', 1);
  expect(given).toEqual(['a', 'b']);
  for (const drawn of [first, second, third]) drawn();
  expect(given).toEqual(['a', 'b', 'c']);
  isReading = true;
  comes('d', 8)();
  expect(given).not.toContain('d');
  [isReading, isHidden] = [false, false];
  credit.release();
  comes('e', 1);
  expect(given).toEqual(['a', 'b', 'c', 'd']);
});
