// npm run bench: builds if the sources have changed, and runs the benchmarks.
import './check-node.mjs';
import { build } from './build.mjs';
import { runTool } from './run.mjs';

const isDone = (await build()) && (await runTool('tsx', ['bench/main.ts', ...process.argv.slice(2)]));
process.exitCode = isDone ? 0 : 1;
