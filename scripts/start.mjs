// npm start: from a fresh clone to a running gateway, with one command. Flags go on to the gateway.
import './check-node.mjs';
import { offerBubblewrap } from './bubblewrap.mjs';
import { build } from './build.mjs';
import { installDependencies } from './install.mjs';

if (!(await installDependencies())) {
  console.error('The dependencies could not be installed; npm says why, above.');
  process.exit(1);
}
if (!(await build())) {
  console.error('The build failed; the reason is above.');
  process.exit(1);
}
await offerBubblewrap();
// In this very process: nothing stands between the terminal's signals and the gateway.
process.argv.push('--banner');
await import('../dist/server/main.js');
