// Runs the protocol's black-box test suite, if available, against the built gateway.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';
import { countsIn } from './test-reports.mjs';

const GROUP_LIMIT_MS = 180_000;
const SUITE = join(process.env.CONFORMANCE_DIR ?? join(ROOT, '../shared/conformance'), 'conformance.mjs');

export const hasConformance = () => existsSync(SUITE);

/**
 * Resolves with counts of passed, failed and skipped tests; each group gets a separate gateway. `printLine` is called
 * with the lines to print.
 */
export async function conformance(printLine) {
  const dir = mkdtempSync(join(tmpdir(), 'exec-console-conformance-'));
  const token = randomBytes(32).toString('hex');
  writeFileSync(join(dir, 'token'), token, { mode: 0o600 });
  const gateway = `node dist/server/main.js --listen ws://127.0.0.1:0 --ws-token-file '${dir}/token' --state-dir '${dir}/state' ${process.env.CONFORMANCE_FLAGS ?? ''}`;
  const total = { passed: 0, failed: 0, skipped: 0 };
  try {
    const groups = await groupsOf(SUITE);
    // An empty list would check nothing, so it counts as a failure.
    if (groups.length === 0) total.failed += 1;
    for (const group of groups) {
      const lines = [];
      const succeeded = await run('node', [SUITE, '--jobs', '2', '--group', group, '--spawn', gateway], {
        env: { CONF_TOKEN: token },
        limitMs: GROUP_LIMIT_MS,
        onLine(line) {
          lines.push(line);
          printLine(line);
        },
      });
      const counts = countsIn(lines);
      total.passed += counts.passed;
      total.skipped += counts.skipped;
      total.failed += succeeded ? counts.failed : Math.max(1, counts.failed);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  return total;
}

async function groupsOf(suite) {
  const lines = [];
  await run('node', [suite, '--list'], { onLine: (line) => lines.push(line) });
  return [...new Set(lines.map((line) => /^[a-z]\S*/.exec(line)?.[0]).filter((name) => name !== undefined))];
}
