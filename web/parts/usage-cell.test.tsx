// Conditions for showing a graph in a row.
import { expect, it } from 'vitest';
import { hasGraph } from './usage-cell.tsx';

const used = (cpus: readonly (number | null)[]) => ({
  samples: cpus.map((cpu) => ({ cpu, memoryBytes: 1 })),
  processes: 1,
  ports: [],
});

it.each([
  ['an unknown process', undefined, false],
  ['an idle process', used([null, 0, 0, 0, 0.01]), false],
  ['a process that was busy within the minute', used([null, 0.6, 0, 0, 0]), true],
  ['a process with too few samples', used([null, 1]), false],
])('hasGraph for %s: %j', (_, given, expected) => expect(hasGraph(given)).toBe(expected));
