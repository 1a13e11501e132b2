// An empty home folder for processes of integration tests, so that the profile of the user cannot affect
// them.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { afterAll } from 'vitest';

// The home is outside the temporary folder, because sandboxes permit writing to that folder.
const home = mkdtempSync('/var/tmp/exec-console-home-');
process.env['HOME'] = home;
afterAll(() => {
  // A test file that has changed its user id cannot remove the folder.
  if (process.geteuid?.() === statSync(home).uid) rmSync(home, { recursive: true, force: true });
});
