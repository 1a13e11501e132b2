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
  /** Which of a quarter's samples counts, sorted: 0.5 is the median. */
  readonly quantile: number;
  /** How many times what the second quarter has the last one may have, … */
  readonly most: number;
  /** … or so much more, whatever that is. */
  readonly mostMore: number;
}

const MIB = 1024 ** 2;

/** A minute of a machine that others use, too, says little of how long anything takes: so much of a soak does. */
const TELLING_MS = 30 * 60_000;
/** Of an echo that takes less than that, twice as long is nothing. */
const SHORT_SOAK_MS = 2;

export function measuresFor(lengthMs: number): readonly Measure[] {
  const isShort = lengthMs < TELLING_MS;
  // What else the machine does makes single seconds slow, and none of them quick.
  return [
    {
      name: 'resident memory',
      unit: 'MiB',
      of: ({ residentBytes }) => residentBytes / MIB,
      quantile: 0.5,
      most: 1.05,
      mostMore: 0,
    },
    {
      name: 'heap',
      unit: 'MiB',
      of: ({ heapBytes }) => heapBytes / MIB,
      quantile: 0.5,
      most: 1.05,
      mostMore: 0,
    },
    {
      name: 'descriptors',
      unit: '',
      of: ({ descriptors }) => descriptors,
      quantile: 0.5,
      most: 1.05,
      mostMore: 0,
    },
    {
      name: 'echo',
      unit: 'ms',
      of: ({ echoMs }) => echoMs,
      quantile: 0.25,
      most: isShort ? 2 : 1.05,
      mostMore: isShort ? SHORT_SOAK_MS : 0,
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
    const second = quantile(samples.slice(quarter, 2 * quarter).map(measure.of), measure.quantile);
    const last = quantile(samples.slice(-quarter).map(measure.of), measure.quantile);
    return {
      measure,
      second,
      last,
      isGood: last <= Math.max(second * measure.most, second + measure.mostMore),
    };
  });
}

export function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;
}
