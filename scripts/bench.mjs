// npm run bench: measures the current sources, which are built first when they have changed.
import { build } from './build.mjs';
import { runTool } from './run.mjs';

const isDone = (await build()) && (await runTool('tsx', ['bench/main.ts', ...process.argv.slice(2)]));
process.exitCode = isDone ? 0 : 1;
