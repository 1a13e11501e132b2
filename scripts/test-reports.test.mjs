// Tests of the test reports: a run that can't be counted must not look like a passed one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from './run.mjs';
import {
  FAILURE_LIMITS,
  failureLines,
  playwrightCounts,
  playwrightDurations,
  playwrightFailures,
  countsIn,
  slowest,
  vitestCounts,
  vitestDurations,
  vitestFailures,
} from './test-reports.mjs';

let dir;
let path;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-reports-'));
  path = join(dir, 'report.json');
});
afterEach(() => rmSync(dir, { recursive: true }));

const vitest = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };

it('the counts include passed, failed and skipped tests', () => {
  writeFileSync(path, JSON.stringify({ ...vitest, testResults: [] }));
  expect(vitestCounts(path)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  const stats = { expected: 5, unexpected: 1, flaky: 0, skipped: 1 };
  writeFileSync(path, JSON.stringify({ stats, errors: [] }));
  expect(playwrightCounts(path)).toEqual({ passed: 5, failed: 1, skipped: 1 });
});

it('a file that could not be loaded counts as failed', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'passed', assertionResults: [] },
  ];
  writeFileSync(path, JSON.stringify({ ...vitest, testResults }));
  expect(vitestCounts(path).failed).toBe(2);
});

it('a flaky test and an error outside of tests count as failed', () => {
  const stats = { expected: 5, unexpected: 0, flaky: 1, skipped: 0 };
  writeFileSync(path, JSON.stringify({ stats, errors: [{ message: 'no browser' }] }));
  expect(playwrightCounts(path)).toEqual({ passed: 5, failed: 2, skipped: 0 });
});

it('without a complete report nothing is counted', () => {
  const nothing = { passed: 0, failed: 0, skipped: 0 };
  expect(vitestCounts(path)).toEqual(nothing);
  writeFileSync(path, '{"numPassedTests":');
  expect(vitestCounts(path)).toEqual(nothing);
  expect(playwrightCounts(path)).toEqual(nothing);
  expect([...vitestDurations(path), ...playwrightDurations(path)]).toEqual([]);
  expect([...vitestFailures(path), ...playwrightFailures(path)]).toEqual([]);
});

it('a suite’s counts are those in its last line of counts; without one, it counts as failed', () => {
  expect(countsIn(['1 passed, 2 failed', 'ok', '3 passed, 0 failed, 4 skipped'])).toEqual({
    passed: 3,
    failed: 0,
    skipped: 4,
  });
  expect(countsIn(['12 passed, 1 failed'])).toEqual({ passed: 12, failed: 1, skipped: 0 });
  expect(countsIn(['it ended here'])).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

it('the durations include each test with its file', () => {
  const assertionResults = [{ fullName: 'a b', duration: 1500 }, { fullName: 'skipped' }];
  writeFileSync(
    path,
    JSON.stringify({ testResults: [{ name: `${ROOT}server/a.test.ts`, assertionResults }] }),
  );
  expect(vitestDurations(path)).toEqual([
    { name: 'server/a.test.ts › a b', ms: 1500 },
    { name: 'server/a.test.ts › skipped', ms: 0 },
  ]);
  const spec = (title, ...durations) => ({
    file: 'a.spec.ts',
    title,
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  });
  const suites = [
    {
      title: 'a.spec.ts',
      specs: [spec('outside', 100)],
      suites: [{ title: 'group', specs: [spec('inside', 200, 300)] }],
    },
  ];
  writeFileSync(path, JSON.stringify({ suites }));
  expect(playwrightDurations(path)).toEqual([
    { name: 'e2e/a.spec.ts › outside', ms: 100 },
    { name: 'e2e/a.spec.ts › group › inside', ms: 500 },
  ]);
});

it('the slowest tests of a run are listed, slowest first', () => {
  const durations = [
    { name: 'quick', ms: 40 },
    { name: 'slow', ms: 12_340 },
    { name: 'middling', ms: 2000 },
  ];
  expect(slowest(durations, 2)).toEqual(['  12.3 s  slow', '   2.0 s  middling']);
});

it('the failures include each failed test with its error', () => {
  const failed = {
    fullName: 'a b',
    status: 'failed',
    failureMessages: ['AssertionError: 1\n    at a.test.ts'],
  };
  const testResults = [
    { name: `${ROOT}server/a.test.ts`, status: 'failed', assertionResults: [failed, { status: 'passed' }] },
    {
      name: `${ROOT}server/b.test.ts`,
      status: 'failed',
      message: 'Cannot find module',
      assertionResults: [],
    },
    { name: `${ROOT}server/c.test.ts`, status: 'passed', assertionResults: [] },
  ];
  writeFileSync(path, JSON.stringify({ testResults }));
  expect(vitestFailures(path)).toEqual([
    { name: 'server/a.test.ts › a b', error: 'AssertionError: 1\n    at a.test.ts' },
    { name: 'server/b.test.ts', error: 'Cannot find module' },
  ]);
  const spec = (title, status, ...results) => ({
    file: 'a.spec.ts',
    title,
    tests: [
      { status, results: results.map((messages) => ({ errors: messages.map((message) => ({ message })) })) },
    ],
  });
  const suites = [
    {
      title: 'a.spec.ts',
      specs: [spec('passes', 'expected', []), spec('fails', 'unexpected', ['one', 'two'])],
      suites: [{ title: 'group', specs: [spec('is flaky', 'flaky', ['once'], []), spec('left', 'skipped')] }],
    },
  ];
  writeFileSync(path, JSON.stringify({ suites, errors: [{ message: 'no browser' }] }));
  expect(playwrightFailures(path)).toEqual([
    { name: 'e2e/a.spec.ts › fails', error: 'one\ntwo' },
    { name: 'e2e/a.spec.ts › group › is flaky', error: 'once' },
    { name: 'outside of the tests', error: 'no browser' },
  ]);
});

it('failed tests are printed with the first lines of each error, without colours', () => {
  expect(failureLines([])).toEqual([]);
  expect(failureLines([{ name: 'a', error: '\u001B[31mred\u001B[39m\n\n  at a.ts:1' }])).toEqual([
    '✗ a',
    '    red',
    '      at a.ts:1',
  ]);
});

it('the number of lines printed for failures is limited', () => {
  const { explained, named, lines, columns } = FAILURE_LIMITS;
  const error = Array.from({ length: lines + 1 }, () => 'x'.repeat(columns)).join('\n');
  const printed = failureLines(
    Array.from({ length: named + 3 }, (_, index) => ({ name: `test ${index}`, error })),
  );
  expect(printed).toHaveLength(named + explained * lines + 1);
  expect(printed.at(-1)).toBe('… and 3 more');
  expect(printed.at(-2)).toBe(`✗ test ${named - 1}`);
  expect(Math.max(...printed.map(({ length }) => length))).toBe(columns);
  expect(failureLines(Array.from({ length: named }, () => ({ name: 'a', error: '' })))).toHaveLength(named);
});
