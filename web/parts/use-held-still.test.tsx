// @vitest-environment happy-dom
// The rows of a list keep their places only while a person reads it.
import { act, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useHeldStill } from './use-held-still.tsx';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const place = document.createElement('div');
document.body.append(place);
const root = createRoot(place);
let shown: ReturnType<typeof useHeldStill>;

function List() {
  const still = useHeldStill();
  useEffect(() => {
    shown = still;
  });
  return (
    <div {...still.handlers}>
      <button type="button">one</button>
      <button type="button">other</button>
    </div>
  );
}

const focus = (at: number): Promise<void> =>
  act(async () => document.querySelectorAll<HTMLElement>('button')[at]?.focus());
const pass = (ms: number): Promise<void> => act(async () => void vi.advanceTimersByTime(ms));
const see = (state: 'hidden' | 'visible'): Promise<void> =>
  act(async () => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
    document.dispatchEvent(new Event('visibilitychange'));
  });

beforeEach(async () => {
  vi.useFakeTimers();
  await act(async () => root.render(<List />));
});
afterEach(async () => {
  await see('visible');
  await act(async () => (document.activeElement as HTMLElement).blur());
  vi.useRealTimers();
});

it('A moving focus holds the list, and a resting one releases it after a while', async () => {
  await focus(0);
  await pass(9000);
  await focus(1);
  await pass(9000);
  expect(shown).toMatchObject({ isHeld: true, hasFocus: true });
  await pass(1000);
  expect(shown).toMatchObject({ isHeld: false, hasFocus: true });
  await focus(0);
  expect(shown).toMatchObject({ isHeld: true, hasFocus: true });
});

it('A hidden page does not hold the list, wherever its focus and pointer are', async () => {
  await focus(0);
  await act(async () =>
    document
      .querySelector('button')
      ?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' })),
  );
  expect(shown).toMatchObject({ isHeld: true });
  await see('hidden');
  expect(shown).toMatchObject({ isHeld: false, hasFocus: true });
});
