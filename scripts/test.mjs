// npm test: installs what it needs, then runs every check. Ends with `N passed, N failed[, N skipped]`. Checks that
// only compute run at the lowest priority beside the tests that wait. Tests that other tests would disturb run alone.
import './check-node.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agents } from './agents.mjs';
import { checkPackage } from './check-package.mjs';
import { conformance, hasConformance } from './conformance.mjs';
import { installDependencies } from './install.mjs';
import { runTool } from './run.mjs';
import {
  FAILURE_LIMITS,
  failureLines,
  playwrightCounts,
  playwrightDurations,
  playwrightFailures,
  slowest,
  vitestCounts,
  vitestDurations,
  vitestFailures,
} from './test-reports.mjs';
import { findChromium, installPrograms } from './test-tools.mjs';

const MINUTE = 60_000;
/** Time limit that catches hangs: three times the slowest run seen. */
const HANGS_AFTER = 40 * MINUTE;
const PROGRAMS = ['vim', 'htop', 'less', 'bwrap', 'python3', 'perl'];
const total = { passed: 0, failed: 0, skipped: 0 };
const failedParts = [];
const failures = [];
const durations = [];
const SLOWEST = 20;
/** Lowest priority, for checks that only compute: they then mostly use CPU time that the waiting tests leave unused. */
const LAST = { niceness: 19 };
const PLAYWRIGHT = {
  countsOf: playwrightCounts,
  durationsOf: playwrightDurations,
  failuresOf: playwrightFailures,
};
const VITEST = { countsOf: vitestCounts, durationsOf: vitestDurations, failuresOf: vitestFailures };
const reports = mkdtempSync(join(tmpdir(), 'exec-console-test-'));

await check('install dependencies', installDependencies);
await check('install the programs that the tests run', () => installPrograms(PROGRAMS));
let chromium = null;
await check('find a browser', async () => (chromium = await findChromium()) !== null);

await check(
  'build',
  async (printLine) =>
    (await tool(printLine, 'vite', ['build', '--logLevel', 'warn'])) &&
    (await tool(printLine, 'vite', ['build', '--logLevel', 'warn', '--ssr'])) &&
    (await tool(printLine, 'tsc', ['-p', 'client/tsconfig.types.json'])),
);
await check('packed package', checkPackage);

// The suite runs alone, because it counts how often output arrives, which depends on the load.
if (hasConformance()) await counted('conformance', conformance);
await beside(
  async () => {
    await suite('browser', PLAYWRIGHT, (printLine, report) =>
      tool(
        printLine,
        'playwright',
        ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
        {
          limitMs: HANGS_AFTER,
          env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...(chromium && { CHROMIUM_PATH: chromium }) },
        },
      ),
    );
    await vitest('integration', ['integration']);
  },
  async () => {
    await check('lint', (printLine) => tool(printLine, 'oxlint', ['--deny-warnings'], LAST));
    await check('types', (printLine) => tool(printLine, 'tsc', ['-b'], LAST));
    await check('unused code', (printLine) => tool(printLine, 'knip', ['--no-config-hints'], LAST));
    await check('format', (printLine) =>
      tool(printLine, 'prettier', ['--check', '--log-level', 'warn', '.'], LAST),
    );
    await vitest('unit and page', ['unit*', 'page'], LAST);
    await counted('real agents', agents);
  },
);
await vitest('integration alone', ['integration-alone']);

rmSync(reports, { recursive: true, force: true });
console.log(`\n── the ${SLOWEST} slowest tests`);
for (const line of slowest(durations, SLOWEST)) console.log(line);
if (failures.length > 0) console.log('\n── failed tests');
for (const line of failureLines(failures)) console.log(line);
if (failedParts.length > 0) console.log(`\nFailed: ${failedParts.join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

function beside(...works) {
  return Promise.all(works.map((work) => work()));
}

/** Runs a check that passes or fails as a whole; it counts as one test. */
async function check(name, work) {
  await counted(name, async (printLine) => {
    const succeeded = await work(printLine);
    return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  });
}

/**
 * Runs a suite and counts its tests by the runner's report; a failed run without failed tests counts as one
 * failure.
 */
async function suite(name, { countsOf, durationsOf, failuresOf }, work) {
  const report = join(reports, `${name}.json`);
  await counted(name, async (printLine) => {
    const succeeded = await work(printLine, report);
    const counts = countsOf(report);
    const failed = succeeded ? counts.failed : Math.max(1, counts.failed);
    return { ...counts, failed, failures: failuresOf(report) };
  });
  durations.push(...durationsOf(report));
}

function vitest(name, projects, options = {}) {
  const chosen = projects.map((project) => `--project=${project}`);
  return suite(name, VITEST, (printLine, report) =>
    tool(
      printLine,
      'vitest',
      ['run', ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      { limitMs: HANGS_AFTER, ...options },
    ),
  );
}

/**
 * Runs one part and prefixes its output lines with its name, because several parts run at once. A part that
 * fails without a failed test is reported with the end of its output.
 */
async function counted(name, work) {
  const last = [];
  const show = (line) => console.log(`${name} │ ${line}`);
  const printLine = (line) => {
    show(line);
    last.push(line);
    if (last.length > FAILURE_LIMITS.lines) last.shift();
  };
  show('…');
  const beganAtMs = performance.now();
  const { passed, failed, skipped, failures: known = [] } = await work(printLine);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  if (failed > 0) {
    failedParts.push(name);
    failures.push(...(known.length > 0 ? known : [{ name, error: last.join('\n') }]));
  }
  const seconds = ((performance.now() - beganAtMs) / 1000).toFixed(0);
  show(`${failed > 0 ? 'failed' : 'passed'} after ${seconds} s`);
}

function tool(onLine, name, args, options) {
  return runTool(name, args, { ...options, onLine });
}
