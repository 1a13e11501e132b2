// npm run mutation: installs StrykerJS beside the other tools, and runs the mutation tests. StrykerJS is not a
// dependency of the package, since otherwise everyone who only starts the console would have to install its 158
// packages.
import './check-node.mjs';
import { run } from './run.mjs';

const STRYKER = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/vitest-runner@9.6.1'];

const succeeded =
  (await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...STRYKER])) &&
  (await run('npx', ['tsx', 'tools/mutation/main.ts', ...process.argv.slice(2)]));
process.exitCode = succeeded ? 0 : 1;
