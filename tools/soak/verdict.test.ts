// The verdict of a soak finds measures that grow.
import { expect, it } from 'vitest';
import { chart } from './chart.ts';
import { judge, type Sample } from './verdict.ts';

const MIB = 1024 ** 2;

const TWO_HOURS_MS = 120 * 60_000;

/** Speed of a shared machine: half as fast in some minutes as in others, and slower still at the end. */
const machine = (at: number): number => (at % 7 < 3 ? 2 : 1) * (at > 100 ? 1.5 : 1);

/** One sample a minute; `growth` is reached over all of them. */
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

it('[UB6] finds nothing where nothing grows, whatever happens now and then', () => {
  expect(bad({})).toEqual([]);
});

it.each([
  ['residentBytes', 'resident memory'],
  ['heapBytes', 'heap'],
  ['descriptors', 'descriptors'],
  ['echoMs', 'echo ÷ young one’s'],
] as const)('finds %s that grow', (name, called) => {
  expect(bad({ [name]: 0.2 })).toEqual([called]);
});

it('allows the echo of two minutes to take twice as long, of what a young one’s takes, and not more', () => {
  const echoes = (second: number, last: number): string[] =>
    judge(
      samples({}, 2 * 60_000).map((sample, at) => ({
        ...sample,
        echoMs: (at < 90 ? second : last) * sample.youngEchoMs,
      })),
    ).flatMap(({ measure, isGood }) => (isGood ? [] : [measure.name]));
  expect(echoes(3, 5.9)).toEqual([]);
  expect(echoes(3, 6.1)).toEqual(['echo ÷ young one’s']);
});

it('draws all of them', () => {
  const svg = chart(samples({}), 'a title');
  expect(svg.match(/<polyline/g)).toHaveLength(6);
  expect(svg).not.toContain('NaN');
});
