// Tests that the verdict of a soak detects measures that grow.
import { expect, it } from 'vitest';
import { chart } from './chart.ts';
import { judge, type Sample } from './verdict.ts';

const MIB = 1024 ** 2;

const TWO_HOURS_MS = 120 * 60_000;

/** Simulates the speed of a shared machine: at times half as fast, and slower at the end. */
const machine = (at: number): number => (at % 7 < 3 ? 2 : 1) * (at > 100 ? 1.5 : 1);

/** Returns 120 samples; at the end, each measure has grown by its share in `growth`. */
const samples = (growth: Partial<Record<keyof Sample, number>>, lengthMs = TWO_HOURS_MS): Sample[] =>
  Array.from({ length: 120 }, (_, at) => {
    const grown = (name: keyof Sample, from: number): number => from * (1 + ((growth[name] ?? 0) * at) / 120);
    return {
      atMs: (at * lengthMs) / 120,
      residentBytes: grown('residentBytes', 100 * MIB),
      heapBytes: grown('heapBytes', 20 * MIB),
      descriptors: grown('descriptors', 40),
      echoMs: grown('echoMs', 1) * machine(at) * (at % 10 === 0 ? 5 : 1),
      youngEchoMs: 0.5 * machine(at),
    };
  });

const bad = (growth: Parameters<typeof samples>[0]): string[] =>
  judge(samples(growth)).flatMap(({ measure, isGood }) => (isGood ? [] : [measure.name]));

it('[UB6] the verdict is good when nothing grows, despite occasional peaks', () => {
  expect(bad({})).toEqual([]);
});

it.each([
  ['residentBytes', 'resident memory'],
  ['heapBytes', 'heap'],
  ['descriptors', 'descriptors'],
  ['echoMs', 'echo ÷ young gateway’s'],
] as const)('the verdict finds growth of %s', (name, called) => {
  expect(bad({ [name]: 0.2 })).toEqual([called]);
});

it('the verdict accepts an echo that at most doubles in a two-minute run, relative to a young gateway', () => {
  const echoes = (second: number, last: number): string[] =>
    judge(
      samples({}, 2 * 60_000).map((sample, at) => ({
        ...sample,
        echoMs: (at < 90 ? second : last) * sample.youngEchoMs,
      })),
    ).flatMap(({ measure, isGood }) => (isGood ? [] : [measure.name]));
  expect(echoes(3, 5.9)).toEqual([]);
  expect(echoes(3, 6.1)).toEqual(['echo ÷ young gateway’s']);
});

it('the chart draws all measures', () => {
  const svg = chart(samples({}), 'a title');
  expect(svg.match(/<polyline/g)).toHaveLength(6);
  expect(svg).not.toContain('NaN');
});
