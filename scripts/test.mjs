// npm test: installs what it needs, then every check there is. Ends with the line `N passed, N failed`.
import './check-node.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage } from './check-package.mjs';
import { installDependencies } from './install.mjs';
import { runTool } from './run.mjs';
import {
  playwrightCounts,
  playwrightDurations,
  slowest,
  vitestCounts,
  vitestDurations,
} from './test-reports.mjs';
import { findChromium, installPrograms } from './test-tools.mjs';

const MINUTE = 60_000;
/** Against a run that hangs, never against a slow machine: three times what the slowest seen has taken. */
const HANGS_AFTER = 40 * MINUTE;
const PROGRAMS = ['vim', 'htop', 'less', 'bwrap', 'python3', 'perl'];
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const durations = [];
const SLOWEST = 20;
const reports = mkdtempSync(join(tmpdir(), 'exec-console-test-'));

await check('install dependencies', installDependencies);
await check('install the programs that the tests run', () => installPrograms(PROGRAMS));
let chromium = null;
await check('find a browser', async () => (chromium = await findChromium()) !== null);

await check('format', () => runTool('prettier', ['--check', '--log-level', 'warn', '.']));
await check('lint', () => runTool('oxlint', ['--deny-warnings']));
await check('types', () => runTool('tsc', ['-b']));
await check('unused code', () => runTool('knip', ['--no-config-hints']));
await check(
  'build',
  async () =>
    (await runTool('vite', ['build', '--logLevel', 'warn'])) &&
    (await runTool('vite', ['build', '--logLevel', 'warn', '--ssr'])) &&
    (await runTool('tsc', ['-p', 'client/tsconfig.types.json'])),
);
await check('packed package', checkPackage);

const projects = ['unit', 'page', 'integration*'].map((name) => `--project=${name}`);
await suite('unit, page and integration tests', vitestCounts, vitestDurations, (report) =>
  runTool(
    'vitest',
    ['run', ...projects, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { limitMs: HANGS_AFTER },
  ),
);
await suite('browser tests', playwrightCounts, playwrightDurations, (report) =>
  runTool('playwright', ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'], {
    limitMs: HANGS_AFTER,
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...(chromium && { CHROMIUM_PATH: chromium }) },
  }),
);

// Last, with the machine to itself: it measures.
await check('two minutes of mixed load', () =>
  runTool('tsx', ['tools/soak/main.ts', '--minutes', '2'], { limitMs: 4 * MINUTE }),
);

rmSync(reports, { recursive: true, force: true });
console.log(`\n── the ${SLOWEST} slowest tests`);
for (const line of slowest(durations, SLOWEST)) console.log(line);
if (failures.length > 0) console.log(`\nFailed: ${failures.join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Something that succeeds or fails as a whole: one test. */
async function check(name, work) {
  console.log(`\n── ${name}`);
  const succeeded = await work();
  total[succeeded ? 'passed' : 'failed'] += 1;
  if (!succeeded) failures.push(name);
}

/** Many tests, counted from the runner's own report; one that fails without a failed test has failed itself. */
async function suite(name, countsOf, durationsOf, work) {
  console.log(`\n── ${name}`);
  const report = join(reports, `${name}.json`);
  const succeeded = await work(report);
  const { passed, failed, skipped } = countsOf(report);
  durations.push(...durationsOf(report));
  total.passed += passed;
  total.skipped += skipped;
  total.failed += succeeded ? failed : Math.max(1, failed);
  if (!succeeded || failed > 0) failures.push(name);
}
