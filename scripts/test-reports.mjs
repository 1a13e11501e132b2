// How many tests passed, as the test runners report it.
import { readFileSync } from 'node:fs';

const NOTHING = { passed: 0, failed: 0, skipped: 0 };

export function vitestCounts(path) {
  const report = read(path);
  if (!report) return NOTHING;
  // A file that cannot even be loaded has no tests that could fail.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function playwrightCounts(path) {
  const { stats, errors } = read(path) ?? {};
  if (!stats) return NOTHING;
  // A flaky test has failed once, and nothing says that it will not again.
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/** Null when the runner died before it could write one. */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
