// @vitest-environment happy-dom
// The busiest order is known once every row that was running at the request has been measured.
import { act, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Used } from '../state/processes/usage-feed.ts';
import { ConsoleContext, type ConsoleParts } from './console-context.tsx';
import { useBusiest } from './use-busiest.tsx';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const used = new Map<string, Used>();
const listeners = new Set<() => void>();
const usage = {
  measure: () => () => undefined,
  get: (key: string) => used.get(key),
  onUpdate: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
const parts = { usage } as unknown as ConsoleParts;
const root = createRoot(document.createElement('div'));
let shown: ReturnType<typeof useBusiest>;

function Order({ keys, isOn }: { readonly keys: readonly string[]; readonly isOn: boolean }) {
  const busiest = useBusiest({ isOn, keys, isHeld: false, hasMoved: false });
  useEffect(() => {
    shown = busiest;
  });
  return null;
}

const show = (keys: readonly string[], isOn = true): Promise<void> =>
  act(async () =>
    root.render(
      <ConsoleContext value={parts}>
        <Order keys={keys} isOn={isOn} />
      </ConsoleContext>,
    ),
  );

const sampled = (cpus: { readonly [key: string]: number | null }): Promise<void> =>
  act(async () => {
    for (const [key, cpu] of Object.entries(cpus)) {
      const samples = [...(used.get(key)?.samples ?? []), { cpu, memoryBytes: 0 }];
      used.set(key, { samples, processes: 1, ports: [] });
    }
    for (const listener of listeners) listener();
  });

beforeEach(async () => {
  used.clear();
  await show([], false);
});

it('An order is not known from one sample each, which cannot rank two processes that have just started', async () => {
  await sampled({ mid: null, busy: null });
  await sampled({ mid: 1, busy: 0.9 });
  await show(['mid', 'busy'], false);
  await show(['mid', 'busy']);
  expect(shown).toMatchObject({ phase: 'measuring' });
  await sampled({ mid: 0.9, busy: 1 });
  expect(shown).toMatchObject({ phase: 'measuring' });
  await sampled({ mid: 0.1, busy: 1 });
  expect(shown).toEqual({ keys: ['busy', 'mid'], phase: 'known' });
});

it('An order does not wait for processes that started after the request', async () => {
  await show(['old'], false);
  await show(['old']);
  await sampled({ old: null });
  await show(['old', 'new']);
  await sampled({ old: 1, new: null });
  expect(shown).toMatchObject({ phase: 'known' });
});
