// Judges a soak: compares its last quarter with its second.

export interface Sample {
  readonly atMs: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly descriptors: number;
  /** Median echo time of the keys typed into terminals since the previous reading; without any echo, `SAMPLE_MS`. */
  readonly echoMs: number;
  /** Median echo time, since the previous reading, of the keys typed into an otherwise idle, young gateway. */
  readonly youngEchoMs: number;
}

interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly of: (sample: Sample) => number;
  /** Quantile of a quarter's samples to compare; default: the median. */
  readonly quantile?: number;
  /** Highest allowed ratio of the last quarter to the second; null: shown, not judged. */
  readonly most: number | null;
}

const MIB = 1024 ** 2;

/**
 * Length of a soak from which times are judged strictly; in shorter ones, other load on the machine has too
 * much influence.
 */
const STRICT_FROM_MS = 30 * 60_000;

export function measuresFor(lengthMs: number): readonly Measure[] {
  return [
    { name: 'resident memory', unit: 'MiB', of: ({ residentBytes }) => residentBytes / MIB, most: 1.05 },
    { name: 'heap', unit: 'MiB', of: ({ heapBytes }) => heapBytes / MIB, most: 1.05 },
    // A low quantile is compared, because short-lived descriptors raise the number at times.
    {
      name: 'descriptors',
      unit: '',
      of: ({ descriptors }) => descriptors,
      quantile: 0.1,
      most: 1.05,
    },
    { name: 'echo', unit: 'ms', of: ({ echoMs }) => echoMs, most: null },
    { name: 'echo, young gateway', unit: 'ms', of: ({ youngEchoMs }) => youngEchoMs, most: null },
    // A shared machine slows down both gateways alike, so their ratio is judged.
    {
      name: 'echo ÷ young gateway’s',
      unit: '×',
      of: ({ echoMs, youngEchoMs }) => echoMs / youngEchoMs,
      most: lengthMs < STRICT_FROM_MS ? 2 : 1.05,
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
    return { measure, second, last, isGood: last <= second * (measure.most ?? Infinity) };
  });
}

export function quantile(numbers: readonly number[], share = 0.5): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;
}
