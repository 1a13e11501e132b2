// npm start: installs, builds and starts the gateway from a fresh clone. Flags are passed to the gateway.
import './check-node.mjs';
import { offerBubblewrap } from './bubblewrap.mjs';
import { build } from './build.mjs';
import { installDependencies } from './install.mjs';

if (!(await installDependencies())) {
  console.error('The dependencies could not be installed; the reason is above.');
  process.exit(1);
}
if (!(await build())) {
  console.error('The build failed; the reason is above.');
  process.exit(1);
}
await offerBubblewrap();
// The gateway runs in this process so that the terminal's signals reach it directly.
process.argv.push('--banner');
await import('../dist/server/main.js');
