// An empty home for the processes of integration tests: what a person's profile does and costs proves nothing.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { afterAll } from 'vitest';

// Not in the folder of temporary files, which sandboxes let be written to.
const home = mkdtempSync('/var/tmp/exec-console-home-');
process.env['HOME'] = home;
afterAll(() => {
  // A file that has become another user leaves the empty folder behind.
  if (process.geteuid?.() === statSync(home).uid) rmSync(home, { recursive: true, force: true });
});
