// What a soak is judged by: whether the last quarter is as the second was.

export interface Sample {
  readonly atMs: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly descriptors: number;
  readonly echoMs: number;
}

interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly of: (sample: Sample) => number;
  /** How much more the last quarter may have than the second. */
  readonly most: number;
}

const MIB = 1024 ** 2;

/** A minute of a machine that others use, too, says little of how long anything takes: so much of a soak does. */
const TELLING_MS = 30 * 60_000;

export function measuresFor(lengthMs: number): readonly Measure[] {
  return [
    { name: 'resident memory', unit: 'MiB', of: ({ residentBytes }) => residentBytes / MIB, most: 1.05 },
    { name: 'heap', unit: 'MiB', of: ({ heapBytes }) => heapBytes / MIB, most: 1.05 },
    { name: 'descriptors', unit: '', of: ({ descriptors }) => descriptors, most: 1.05 },
    { name: 'echo', unit: 'ms', of: ({ echoMs }) => echoMs, most: lengthMs < TELLING_MS ? 2 : 1.05 },
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
    return { measure, second, last, isGood: last <= second * measure.most };
  });
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
