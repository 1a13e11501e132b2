// A hint is shown once even if repeated, and disappears after a while.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Hint } from './hint.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a hint is shown once while it is repeated, is replaced by another, and disappears after a few seconds', () => {
  const shown: (string | null)[] = [];
  const hint = new Hint((text) => shown.push(text));
  hint.display('one');
  vi.advanceTimersByTime(3000);
  hint.display('one');
  vi.advanceTimersByTime(3000);
  expect(shown).toEqual(['one']);
  hint.display('two');
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(['one', 'two', null]);
  hint.display('two');
  hint.dispose();
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(['one', 'two', null, 'two']);
});
