// Runs one command of each real agent, as far as the agents are installed already or within seconds.
import { runTool } from './run.mjs';
import { saidCounts } from './test-reports.mjs';

/** Timeout for a run that hangs; a hanging agent is ended before it. */
const LIMIT_MS = 240_000;

/** Numbers of agents whose command came through, did not, and that were not run; `say` gets its lines, with the reasons. */
export async function agents(say) {
  const lines = [];
  const succeeded = await runTool('tsx', ['e2e/agents/run.ts', '--quick'], {
    limitMs: LIMIT_MS,
    onLine(line) {
      lines.push(line);
      say(line);
    },
  });
  const counts = saidCounts(lines);
  return succeeded ? counts : { ...counts, failed: Math.max(1, counts.failed) };
}
