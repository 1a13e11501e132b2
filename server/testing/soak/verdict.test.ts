// That a soak would see what grows.
import { expect, it } from 'vitest';
import { chart } from './chart.ts';
import { judge, type Sample } from './verdict.ts';

const MIB = 1024 ** 2;

/** Two hours, one sample a minute; `growth` over all of it. */
const samples = (growth: Partial<Record<keyof Sample, number>>): Sample[] =>
  Array.from({ length: 120 }, (_, at) => {
    const grown = (name: keyof Sample, from: number): number => from * (1 + ((growth[name] ?? 0) * at) / 120);
    return {
      atMs: at * 60_000,
      residentBytes: grown('residentBytes', 100 * MIB),
      heapBytes: grown('heapBytes', 20 * MIB),
      descriptors: grown('descriptors', 40),
      echoMs: grown('echoMs', 1) * (at % 10 === 0 ? 5 : 1),
    };
  });

const bad = (growth: Parameters<typeof samples>[0]): string[] =>
  judge(samples(growth)).flatMap(({ measure, isGood }) => (isGood ? [] : [measure.name]));

it('[UB6] finds nothing where nothing grows, whatever happens now and then', () => {
  expect(bad({})).toEqual([]);
});

it.each([
  ['residentBytes', 'resident memory'],
  ['heapBytes', 'heap'],
  ['descriptors', 'descriptors'],
  ['echoMs', 'echo'],
] as const)('finds %s that grow', (name, called) => {
  expect(bad({ [name]: 0.2 })).toEqual([called]);
});

it('draws all of them', () => {
  const svg = chart(samples({}), 'a title');
  expect(svg.match(/<polyline/g)).toHaveLength(4);
  expect(svg).not.toContain('NaN');
});
