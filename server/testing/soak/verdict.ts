// What a soak is judged by: whether the last quarter is as the second was.

export interface Sample {
  readonly atMs: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly descriptors: number;
  /** Of a key typed into a terminal. */
  readonly echoMs: number;
  /** Of one that goes to a program and back without the gateway, in the same second. */
  readonly bareEchoMs: number;
}

interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly of: (sample: Sample) => number;
  /** How many times what the second quarter has the last one may have, by the median; null: it is shown, not judged. */
  readonly most: number | null;
}

const MIB = 1024 ** 2;

/** A minute of a machine that others use, too, says little of how long anything takes: so much of a soak does. */
const TELLING_MS = 30 * 60_000;

export function measuresFor(lengthMs: number): readonly Measure[] {
  return [
    { name: 'resident memory', unit: 'MiB', of: ({ residentBytes }) => residentBytes / MIB, most: 1.05 },
    { name: 'heap', unit: 'MiB', of: ({ heapBytes }) => heapBytes / MIB, most: 1.05 },
    { name: 'descriptors', unit: '', of: ({ descriptors }) => descriptors, most: 1.05 },
    { name: 'echo', unit: 'ms', of: ({ echoMs }) => echoMs, most: null },
    { name: 'bare echo', unit: 'ms', of: ({ bareEchoMs }) => bareEchoMs, most: null },
    // A machine that others use, too, is quick for some minutes and slow for others: with it both of them are.
    {
      name: 'echo, of bare',
      unit: '×',
      of: ({ echoMs, bareEchoMs }) => echoMs / bareEchoMs,
      most: lengthMs < TELLING_MS ? 2 : 1.05,
    },
  ];
}

export interface Judged {
  readonly measure: Measure;
  readonly second: number;
  readonly last: number;
  readonly isGood: boolean;
}

export function judge(samples: readonly Sample[]): readonly Judged[] {
  const quarter = Math.floor(samples.length / 4);
  const lengthMs = samples.at(-1)?.atMs ?? 0;
  return measuresFor(lengthMs).map((measure) => {
    const second = median(samples.slice(quarter, 2 * quarter).map(measure.of));
    const last = median(samples.slice(-quarter).map(measure.of));
    return { measure, second, last, isGood: last <= second * (measure.most ?? Infinity) };
  });
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
