// Checks that a scanner's work grows linearly: eight times the input may take about eight times the work, not
// sixty-four.
import fc from 'fast-check';

const TIMES = 8;
/** Threshold between linear (8) and quadratic (64) growth; load on the machine makes runs longer, never shorter. */
const MOST_GROWTH = 24;
const FURTHER = 4;
/** Threshold between linear (4) and quadratic (16) growth, for an even longer text. */
const MOST_FURTHER_GROWTH = 12;
/** Times below this limit are ignored, because they mostly measure the machine. */
const NOTHING_MS = 30;
const RUNS = 5;

export interface Scanner {
  /** Length of the longer text. */
  readonly length: number;
  readonly scan: (text: string, bytes: Buffer) => unknown;
}

export interface Repeated {
  readonly before: string;
  /** Text that is repeated up to the length. */
  readonly unit: string;
}

/** Fragments that scanners search for, many of them without their end. */
const FRAGMENTS: readonly string[] = [
  'a',
  ' ',
  '\n',
  '\r',
  '\b',
  '\u0007',
  '\u0000',
  '\u007f',
  '\u0018',
  '\u001b',
  '\u001b[',
  '\u001b[?',
  '\u001b[m',
  '\u001b[1K',
  '\u001b]',
  '\u001b]8;;https://a.example\u001b\\',
  '\u001b]4;1;#fff;',
  '\u001bP',
  '\u001b_',
  '\u001b\\',
  '\u001b7',
  '\u001b8',
  '\u001b(0',
  '\u001b[?1048h',
  '\u001b[?47;',
  '47;',
  '1;',
  '9',
  ':1',
  '\u009b',
  '\u0090',
  ';',
  '\u0301',
  '\u200d',
  '👩\u200d',
  '🇩',
  'क\u094d',
  '\u200b',
  '\u0600',
  'é',
  'sk-a',
  '://',
  'https://a.',
  '?token=',
  'password=',
  '%20eyJaaaaaaaa',
  '-----BEGIN PRIVATE KEY-----',
  'A\n-----END PRIVATE KEY-----',
  'secret_access_key  ',
  '\\"',
  '{',
];

export const repeated: fc.Arbitrary<Repeated> = fc.record({
  before: fc.constantFrom(
    '',
    '\u001b[',
    '\u001b]8;;',
    '\u001b[?',
    '\u001bP',
    '-----BEGIN PRIVATE KEY-----\n',
  ),
  unit: fc
    .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.join('')),
});

const CSI = '\u001b[';

/** Parameters of runs with a fixed seed; the examples, which once took quadratic time, run first. */
export const GROWTH_RUNS: fc.Parameters<[Repeated]> = {
  numRuns: 60,
  seed: 1,
  endOnFailure: true,
  examples: [
    [{ before: `${CSI}?`, unit: '47;' }],
    [{ before: CSI, unit: '\u0000' }],
    [{ before: '\u001b]8;;', unit: 'a' }],
    [{ before: '', unit: '\u001b]' }],
    [{ before: '', unit: '\u001b7' }],
    [{ before: 'a', unit: '\u0301' }],
  ],
};

/** Returns null for linear growth, otherwise a description of the growth. */
export function tooMuchGrowth({ length, scan }: Scanner, { before, unit }: Repeated): string | null {
  const cost = (textLength: number): number => {
    const text = before + unit.repeat(Math.ceil(textLength / unit.length));
    const bytes = Buffer.from(text);
    const start = process.cpuUsage();
    scan(text, bytes);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const growth = grows(cost, length / TIMES, length, MOST_GROWTH);
  // Work that begins only beyond some length grows once; quadratic work keeps growing.
  return growth && grows(cost, length, length * FURTHER, MOST_FURTHER_GROWTH) && growth;
}

/**
 * Returns null when the longer text takes less than `NOTHING_MS`, or at most `most` times as long as the shorter one,
 * each by its fastest run; otherwise a description of the growth.
 */
function grows(cost: (length: number) => number, from: number, to: number, most: number): string | null {
  let [less, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < RUNS; run += 1) {
    more = Math.min(more, cost(to));
    if (more < NOTHING_MS) return null;
    less = Math.min(less, cost(from));
    if (more <= most * less) return null;
  }
  return `${to / from} times as much takes ${Math.round(more / less)} times as long: ${less} ms, then ${more} ms`;
}
