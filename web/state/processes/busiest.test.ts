// Conditions under which the load of a process counts as measured.
import { expect, it } from 'vitest';
import { hasOwnInterval } from './busiest.ts';

const sample = (cpu: number | null) => ({ cpu, memoryBytes: 0 });
const used = (samples: ReturnType<typeof sample>[]) => ({ samples, processes: 1, ports: [] });
const [first, busy, idle] = [sample(null), sample(1), sample(0)];

it('A process counts as measured after a whole interval since the request, not after a single sample', () => {
  expect(hasOwnInterval(undefined, undefined)).toBe(false);
  expect(hasOwnInterval(used([first]), undefined)).toBe(false);
  expect(hasOwnInterval(used([first, busy]), undefined)).toBe(true);
  expect(hasOwnInterval(used([first, busy]), busy)).toBe(false);
  expect(hasOwnInterval(used([first, busy, idle]), busy)).toBe(false);
  expect(hasOwnInterval(used([first, busy, idle, idle]), busy)).toBe(true);
});

it('A process that was forgotten after the request, as on a lost connection, is measured again', () => {
  expect(hasOwnInterval(used([first]), busy)).toBe(false);
  expect(hasOwnInterval(used([first, idle]), busy)).toBe(true);
});
