// npm test: installs what it needs, runs every check and every test, and ends with `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from './build.mjs';
import { checkNode, installDependencies } from './install.mjs';
import { installBrowser, installPrograms } from './programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = mkdtempSync(join(tmpdir(), 'exec-console-reports-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

function count({ passed, failed, skipped }, name) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  if (failed > 0) failures.push(name);
}

function execute(command, args, env = {}) {
  return (
    spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, ...env } })
      .status === 0
  );
}

/** A check counts as one test. */
function check(name, command, args) {
  console.error(`\n▸ ${name}`);
  const ok = execute(command, args);
  count({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }, name);
}

/** A suite counts as its tests; one that leaves no report has failed. */
function suite(name, command, args, { report, read, env }) {
  console.error(`\n▸ ${name}`);
  const ok = execute(command, args, env);
  let counts;
  try {
    counts = read(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  // A crash after the last test is a failure that no test has.
  if (!ok && counts.failed === 0) counts = { ...counts, failed: 1 };
  if (counts.passed + counts.failed === 0) counts = { ...counts, failed: 1 };
  count(counts, name);
}

checkNode();
installDependencies(root);
const browser = installBrowser(root);
const problems = [browser.problem, installPrograms()].filter((problem) => problem !== null);
if (problems.length > 0) {
  for (const problem of problems) console.error(`The tests need more than is here: ${problem}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

check('format', bin('prettier'), ['--check', '--log-level', 'warn', '.']);
check('lint', bin('oxlint'), []);
check('types', bin('tsc'), ['-b']);
check('unused code', bin('knip'), []);
buildIfChanged(root);

const unit = join(reports, 'vitest.json');
suite(
  'unit and integration tests',
  bin('vitest'),
  ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${unit}`],
  {
    report: unit,
    read: (result) => ({
      passed: result.numPassedTests,
      failed: result.numFailedTests,
      skipped: result.numPendingTests + result.numTodoTests,
    }),
  },
);

const e2e = join(reports, 'playwright.json');
suite(
  'browser tests',
  bin('playwright'),
  ['test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json'],
  {
    report: e2e,
    read: ({ stats }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
    }),
    env: { CHROMIUM_PATH: browser.path, PLAYWRIGHT_JSON_OUTPUT_NAME: e2e },
  },
);

rmSync(reports, { recursive: true, force: true });
if (failures.length > 0) console.error(`\nFailed: ${failures.join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed > 0 ? 1 : 0);
