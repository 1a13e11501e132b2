// A run that cannot be counted must not look like one that passed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { playwrightCounts, vitestCounts } from './test-reports.mjs';

let dir;
let path;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-reports-'));
  path = join(dir, 'report.json');
});
afterEach(() => rmSync(dir, { recursive: true }));

const vitest = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };

it('counts tests that passed, failed and were skipped', () => {
  writeFileSync(path, JSON.stringify({ ...vitest, testResults: [] }));
  expect(vitestCounts(path)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  const stats = { expected: 5, unexpected: 1, flaky: 0, skipped: 1 };
  writeFileSync(path, JSON.stringify({ stats, errors: [] }));
  expect(playwrightCounts(path)).toEqual({ passed: 5, failed: 1, skipped: 1 });
});

it('counts a file that could not be loaded as failed', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'passed', assertionResults: [] },
  ];
  writeFileSync(path, JSON.stringify({ ...vitest, testResults }));
  expect(vitestCounts(path).failed).toBe(2);
});

it('counts a flaky test and an error outside of tests as failed', () => {
  const stats = { expected: 5, unexpected: 0, flaky: 1, skipped: 0 };
  writeFileSync(path, JSON.stringify({ stats, errors: [{ message: 'no browser' }] }));
  expect(playwrightCounts(path)).toEqual({ passed: 5, failed: 2, skipped: 0 });
});

it('counts nothing without a whole report', () => {
  const nothing = { passed: 0, failed: 0, skipped: 0 };
  expect(vitestCounts(path)).toEqual(nothing);
  writeFileSync(path, '{"numPassedTests":');
  expect(vitestCounts(path)).toEqual(nothing);
  expect(playwrightCounts(path)).toEqual(nothing);
});
