// For how long somebody counts as typing.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isTyping, typed } from './typing.ts';

vi.mock('./compiling.ts', () => ({ compileSoon: vi.fn() }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is from a key on until a second after the last one', () => {
  expect(isTyping()).toBe(false);
  typed();
  vi.advanceTimersByTime(900);
  typed();
  vi.advanceTimersByTime(900);
  expect(isTyping()).toBe(true);
  vi.advanceTimersByTime(100);
  expect(isTyping()).toBe(false);
});
