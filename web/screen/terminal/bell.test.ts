// A bell sounds once, even if both its bytes and the gateway report it.
import type { Terminal } from '@xterm/xterm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let heard: number;
let ringOutput: () => void;
let ringUnseen: () => void;
let isLive: boolean;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  [heard, isLive] = [0, true];
  class Node {
    readonly gain = { setTargetAtTime: () => undefined };
    connect = (next: Node): Node => next;
    stop = (): void => undefined;
    start(): void {
      heard += 1;
    }
  }
  vi.stubGlobal(
    'AudioContext',
    class {
      readonly currentTime = 0;
    },
  );
  vi.stubGlobal('OscillatorNode', Node);
  vi.stubGlobal('GainNode', Node);
  const { settingsStore } = await import('../../state/page/settings-store.ts');
  settingsStore.setState({ bell: 'sound' });
  const bell = await import('./bell.ts');
  ({ ringUnseen } = bell);
  const terminal = { onBell: (listener: () => void) => (ringOutput = listener) } as unknown as Terminal;
  bell.ringBell(terminal, {} as HTMLElement, () => isLive);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['the output first', () => [ringOutput, ringUnseen]],
  ['the gateway first', () => [ringUnseen, ringOutput]],
])('a bell that is reported twice sounds once, %s', (_, inOrder) => {
  for (let n = 1; n <= 3; n += 1) {
    for (const ring of inOrder()) {
      ring();
      vi.advanceTimersByTime(1500);
    }
    expect(heard).toBe(n);
    vi.advanceTimersByTime(10_000);
  }
});

it('bells sound at a limited rate, and not for replayed output', () => {
  for (let n = 0; n < 8; n += 1) {
    ringUnseen();
    vi.advanceTimersByTime(100);
  }
  expect(heard).toBe(2);
  vi.advanceTimersByTime(10_000);
  isLive = false;
  ringOutput();
  expect(heard).toBe(2);
});

it.each(['off', 'visual'] as const)('a bell makes no sound when it is set to %s', async (bell) => {
  const { settingsStore } = await import('../../state/page/settings-store.ts');
  settingsStore.setState({ bell });
  ringUnseen();
  expect(heard).toBe(0);
});
