// npm run nightly: long measurements and tests. Run `npm test` first, on an otherwise idle machine.
import './check-node.mjs';
import { runTool } from './run.mjs';

const MINUTE = 60_000;
const STEPS = [
  { name: 'long tests', tool: 'vitest', args: ['run', '--project=nightly'], limitMs: 60 * MINUTE },
  { name: 'faults', tool: 'tsx', args: ['tools/faults/main.ts', '--runs', '10000'], limitMs: 90 * MINUTE },
  {
    name: 'faults of gateway and keeper',
    tool: 'tsx',
    args: ['tools/faults/main.ts', '--keeper', '200'],
    limitMs: 30 * MINUTE,
  },
  {
    name: 'two hours of mixed load',
    tool: 'tsx',
    args: ['tools/soak/main.ts', '--minutes', '120'],
    limitMs: 130 * MINUTE,
  },
  { name: 'mutation tests', tool: 'tsx', args: ['scripts/mutation.mjs'], limitMs: 240 * MINUTE },
];

const failed = [];
for (const { name, tool, args, limitMs } of STEPS) {
  console.log(`\n── ${name}`);
  if (!(await runTool(tool, args, { limitMs }))) failed.push(name);
}
console.log(`\n${STEPS.length - failed.length} passed, ${failed.length} failed`);
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
