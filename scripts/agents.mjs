// Runs one command with each real agent that is installed, or can be installed within seconds.
import { runTool } from './run.mjs';
import { countsIn } from './test-reports.mjs';

/** Time limit for a run; a hanging agent is ended earlier. */
const LIMIT_MS = 240_000;

/** Resolves with counts of passed, failed and skipped scenarios; `printLine` is called with the lines to print. */
export async function agents(printLine) {
  const lines = [];
  const succeeded = await runTool('tsx', ['e2e/agents/run.ts', '--quick'], {
    limitMs: LIMIT_MS,
    onLine(line) {
      lines.push(line);
      printLine(line);
    },
  });
  const counts = countsIn(lines);
  return succeeded ? counts : { ...counts, failed: Math.max(1, counts.failed) };
}
