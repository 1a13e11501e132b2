// Charts of the benchmarks show their results, and replace only the section of their measure.
import { expect, it } from 'vitest';
import { chart } from './chart.ts';
import { rowsOf } from './report.ts';
import { withResults, type Results } from './results.ts';
import type { Round } from './run.ts';

const round = (server: string, at: number, figures: Record<string, number>, busy = 0): Round => ({
  measure: 'echo',
  server,
  round: at,
  busy,
  outcome: { figures },
});

const ROUNDS = [
  round('ours', 0, { 'alone: p50, ms': 1, 'lost, bytes': 0, operations: 9 }),
  round('codex', 0, { 'alone: p50, ms': 40, 'lost, bytes': 0, operations: 9 }),
  round('ours', 1, { 'alone: p50, ms': 3, 'lost, bytes': 0, operations: 9 }),
];
const RESULTS: Results = {
  machine: { cpus: 2, cpu: 'A & B', memoryMb: 8000, kernel: '6', node: 'v20' },
  begun: { atMs: Date.UTC(2026, 0, 2), load: [0] },
  options: { operations: 1, seconds: 1, megabytes: 1, gigabytes: 1, recordings: 1 },
  rounds: ROUNDS,
};

it('the chart draws each server’s median from zero, and describes it in words', () => {
  const svg = chart('echo', 'a < b', rowsOf(ROUNDS));
  expect(svg).toContain(
    '<desc id="description">alone: p50: ours 2 ms, codex 40 ms. lost: ours 0 bytes, codex 0 bytes</desc>',
  );
  expect(svg).toContain('a &lt; b');
  expect(svg).not.toContain('operations');
  const widths = [...svg.matchAll(/class="(?:first|other)" x="[\d.]+" y="\d+" width="([\d.]+)"/g)].map(
    ([, width]) => Number(width),
  );
  expect(widths).toHaveLength(4);
  expect(widths[0]! / widths[1]!).toBeCloseTo(2 / 40, 2);
  expect(widths.slice(2)).toEqual([0, 0]);
  // One range, from the faster to the slower round of exec-console.
  expect(svg.match(/class="range"/g)).toHaveLength(1);
});

it('the chart of a single server groups similar figures', () => {
  const figures = {
    '10: memory, KB each': 5,
    '100: memory, KB each': 4,
    'empty, MB': 50,
    'heap, +MB': 1,
    started: 3,
  };
  const svg = chart('growth', '', rowsOf([round('ours', 0, figures)]));
  expect(svg).toContain(
    'memory: 10 5 KB each, 100 4 KB each. in MB: empty 50 MB. MB more than before: heap +1 MB. counts: started 3',
  );
});

const PAGE = 'a\n\n<!-- results: npm run bench:charts writes what is here -->\n\n<!-- results end -->\n\nz\n';

it('withResults changes only the text between the marks', () => {
  const written = withResults(PAGE, RESULTS, 'performance');
  expect(written.replace(/### [^]*(?=<!-- results end)/, '')).toBe(PAGE);
  expect(written).toContain('2026-01-02, 2 × A & B, 8 GB, Linux 6, Node v20.\n');
  expect(written).toContain('](performance/echo.svg)');
  expect(written).toContain('; medians of 2 rounds, of up to 1 operations or 1 s, ');
  expect(written).toMatch(/^\| alone: p50, ms \| +2 \| +40 \| +0\.05 \|$/m);
  expect(() => withResults('no marks', RESULTS, 'performance')).toThrow('no place');
});

it('withResults replaces only the measures that were taken, in place', () => {
  const taken = (kernel: string, ...measures: string[]): Results => ({
    ...RESULTS,
    machine: { ...RESULTS.machine, kernel },
    rounds: measures.map((measure) => ({ ...round('ours', 0, { 'took, ms': 7 }), measure })),
  });
  const first = withResults(PAGE, taken('6.1', 'bulk', 'page-floods', 'oneshot'), 'performance');
  expect(first.match(/^### .*$/gm)).toEqual(['### oneshot', '### bulk', '### page-floods']);
  const second = withResults(first, taken('6.2', 'bulk'), 'performance');
  expect(second).toBe(first.replace(/(### bulk[^]*?)6\.1/, '$16.2'));
  expect(second).not.toBe(first);
});

it('withResults reports failures and a busy machine', () => {
  const failed: Round = { ...round('codex', 1, {}, 0.9), outcome: { error: 'it hangs' } };
  const written = withResults(PAGE, { ...RESULTS, rounds: [...ROUNDS, failed] }, 'performance');
  expect(written).toContain('- codex failed in round 2: it hangs');
  expect(written).toContain('Before 1 of 4 takes something else kept the machine busy');
});
