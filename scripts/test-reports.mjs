// Extracts counts, durations and failures from the test runners' reports.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './run.mjs';

/** Limits on the output of `failureLines`: a failed run must fit into the end of a log. */
export const FAILURE_LIMITS = { explained: 20, named: 200, lines: 15, columns: 200 };

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
export function countsIn(lines) {
  const pattern = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;
  const [, passed, failed, skipped] = lines.map((line) => pattern.exec(line)).findLast(Boolean) ?? [0, 0, 1];
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0) };
}

/** Returns the durations of all tests in a report, in ms. */
export function vitestDurations(path) {
  return (read(path)?.testResults ?? []).flatMap((file) =>
    file.assertionResults.map((test) => ({ name: vitestName(file, test), ms: test.duration ?? 0 })),
  );
}

export function playwrightDurations(path) {
  return playwrightTests(path).map(({ name, results }) => ({
    name,
    ms: results.reduce((sum, { duration }) => sum + duration, 0),
  }));
}

/** Returns the failed tests of a report with their errors; a file that failed to load counts as a test. */
export function vitestFailures(path) {
  return (read(path)?.testResults ?? []).flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    const isUnloaded = file.status === 'failed' && file.assertionResults.length === 0;
    return [
      ...failed.map((test) => ({
        name: vitestName(file, test),
        error: (test.failureMessages ?? []).join('\n'),
      })),
      ...(isUnloaded ? [{ name: relative(ROOT, file.name), error: file.message ?? '' }] : []),
    ];
  });
}

export function playwrightFailures(path) {
  const textOf = (errors = []) => errors.map(({ message = '' }) => message).join('\n');
  const outside = (read(path)?.errors ?? []).map((error) => ({
    name: 'outside of the tests',
    error: textOf([error]),
  }));
  const failed = playwrightTests(path).filter(({ status }) => status === 'unexpected' || status === 'flaky');
  return [
    ...failed.map(({ name, results }) => ({ name, error: textOf(results.flatMap(({ errors }) => errors)) })),
    ...outside,
  ];
}

/** Returns lines for failed tests: each name with the beginning of its error, within `FAILURE_LIMITS`. */
export function failureLines(failures) {
  const { explained, named, lines, columns } = FAILURE_LIMITS;
  const cut = (line) => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line);
  const unnamed = failures.length - named;
  return [
    ...failures.slice(0, named).flatMap(({ name, error }, index) => {
      if (index >= explained) return [cut(`✗ ${name}`)];
      const text = stripVTControlCharacters(error).split('\n');
      const shown = text.filter((line) => line.trim() !== '').slice(0, lines);
      return [cut(`✗ ${name}`), ...shown.map((line) => cut(`    ${line}`))];
    }),
    ...(unnamed > 0 ? [`… and ${unnamed} more`] : []),
  ];
}

/** Returns lines for the slowest tests, slowest first. */
export function slowest(durations, count) {
  return durations
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

function vitestName(file, test) {
  return `${relative(ROOT, file.name)} › ${test.fullName}`;
}

function playwrightTests(path) {
  const ofSuite = ({ specs = [], suites = [] }, above) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests.map(({ status, results }) => ({
        name: ['e2e', file].join('/') + [...above, title].map((each) => ` › ${each}`).join(''),
        status,
        results,
      })),
    ),
    ...suites.flatMap((suite) => ofSuite(suite, [...above, suite.title])),
  ];
  // The outermost suites are the files.
  return (read(path)?.suites ?? []).flatMap((file) => ofSuite(file, []));
}

/** Returns the parsed report; null if the runner crashed before writing one. */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
