// Extracts counts and durations from the test runners' reports.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './run.mjs';

const NOTHING = { passed: 0, failed: 0, skipped: 0 };

export function vitestCounts(path) {
  const report = read(path);
  if (!report) return NOTHING;
  // A file that fails to load reports no tests, so it is counted separately.
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
  // A flaky test failed once and may fail again, so it counts as failed.
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/**
 * Returns the counts in the last line `N passed, N failed[, N skipped]`; without such a line, one failure.
 */
export function saidCounts(lines) {
  const pattern = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;
  const [, passed, failed, skipped] = lines.map((line) => pattern.exec(line)).findLast(Boolean) ?? [0, 0, 1];
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0) };
}

/** Returns the durations of all tests in a report, in ms. */
export function vitestDurations(path) {
  return (read(path)?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${relative(ROOT, name)} › ${fullName}`,
      ms: duration ?? 0,
    })),
  );
}

export function playwrightDurations(path) {
  const ofSuite = ({ specs = [], suites = [] }, above) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests.map(({ results }) => ({
        name: ['e2e', file].join('/') + [...above, title].map((each) => ` › ${each}`).join(''),
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
      })),
    ),
    ...suites.flatMap((suite) => ofSuite(suite, [...above, suite.title])),
  ];
  // The outermost suites are the files.
  return (read(path)?.suites ?? []).flatMap((file) => ofSuite(file, []));
}

/** Returns lines for the slowest tests, slowest first. */
export function slowest(durations, count) {
  return durations
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

/** Returns the parsed report; null if the runner crashed before writing one. */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
