// npm run bench: what is measured is what is here, so it is built first when that has changed.
import { build } from './build.mjs';
import { runTool } from './run.mjs';

const isDone = (await build()) && (await runTool('tsx', ['bench/main.ts', ...process.argv.slice(2)]));
process.exitCode = isDone ? 0 : 1;
