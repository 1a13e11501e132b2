// An empty home for the processes of integration tests: what a person's profile does and costs proves nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { afterAll } from 'vitest';

// Not in the folder of temporary files, which sandboxes let be written to.
const home = mkdtempSync('/var/tmp/exec-console-home-');
process.env['HOME'] = home;
afterAll(() => rmSync(home, { recursive: true, force: true }));
