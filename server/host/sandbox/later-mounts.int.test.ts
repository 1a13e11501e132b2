// Mounts that the host makes while a sandbox runs, in a mount namespace whose mounts are shared, as systemd
// makes them.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxedArgv } from './bubblewrap.ts';
import { carried } from './carried.ts';
import type { Policy } from './policy.ts';
import { isFiltered, seccompFilter } from './seccomp.ts';
import { findSupport, type Support } from './support.ts';

/** Mounting needs root, and a kernel or container that permits it. */
const hasMounts = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

const top = realpathSync(mkdtempSync(join(tmpdir(), 'later-mounts-')));
const filter = join(top, 'filter');
const ENV = { PATH: '/usr/bin:/bin' };
let support: Support;
let base: string;

beforeAll(async () => {
  chmodSync(top, 0o755);
  if (isFiltered(process.arch))
    writeFileSync(filter, seccompFilter(process.arch, 'restricted'), { mode: 0o644 });
  support = await findSupport(filter);
});
afterAll(() => rmSync(top, { recursive: true }));
beforeEach(() => {
  base = mkdtempSync(join(top, 'base-'));
  chmodSync(base, 0o777);
  for (const name of ['work', 'work/later', 'stick', 'elsewhere', 'state']) {
    mkdirSync(join(base, name));
    chmodSync(join(base, name), 0o777);
  }
  writeFileSync(join(base, 'state/token'), 'secret');
});
afterEach(() => rmSync(base, { recursive: true }));

/** Makes three mounts when the command inside has created `work/up`, and then creates `work/mounted`. */
const HOST = `
mount --make-rshared /
cd "$0" || exit
{
  until [ -e work/up ]; do sleep 0.02; done
  mount -t tmpfs -o mode=777 none stick
  mount -t tmpfs -o mode=777 none work/later
  mount --bind state elsewhere
  touch work/mounted
  until [ -e work/ended ]; do sleep 0.02; done
  ls stick work/later state
} &
"$@"
code=$?
touch work/ended
wait
exit $code
`;

const INSIDE = `
touch work/up
until [ -e work/mounted ]; do sleep 0.02; done
for place in stick work/later elsewhere; do touch $place/made-inside; done 2>/dev/null
cat elsewhere/token 2>/dev/null
ls stick elsewhere
echo ran
`;

function run(user: string, bwrap: readonly string[]): { status: number | null; output: string } {
  const command = { argv: ['/bin/sh', '-c', INSIDE], arg0: null, cwd: base, env: ENV };
  const policy: Policy = {
    grants: [
      { path: '/', access: 'read', kind: 'folder' },
      { path: join(base, 'work'), access: 'write', kind: 'folder' },
    ],
    denied: [{ path: join(base, 'state'), kind: 'folder' }],
    network: 'restricted',
  };
  const argv = sandboxedArgv(policy, command, { bwrap, filter });
  const as = ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...argv];
  const { status, stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', HOST, base, ...as], {
    env: { ...ENV, ...carried(ENV) },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, output: stdout + stderr };
}

describe.runIf(hasMounts)('A mount that the host makes while a sandbox runs', () => {
  it.each(['0', '65534'])('[SB20] does not appear in the sandbox, user %s', (user) => {
    if (support.means !== 'bubblewrap') throw new Error('these tests need bubblewrap');
    const { status, output } = run(user, support.bwrap);
    expect(output).toContain('elsewhere:\n');
    expect(output).toMatch(/^ran$/m);
    expect(status).toBe(0);
    expect(output).not.toContain('secret');
    // The sandbox made the file in the folder under the host's new mount, so the host does not list it.
    expect(output).not.toContain('made-inside');
    expect(existsSync(join(base, 'work/later/made-inside'))).toBe(true);
  });

  it.each(['0', '65534'])('[SB20] keeps a sandbox that would show it from starting, user %s', (user) => {
    writeFileSync(join(base, 'work/up'), '');
    expect(run(user, ['bwrap'])).toMatchObject({
      status: 126,
      output: expect.stringContaining('later mounts of the host would appear in the sandbox'),
    });
  });
});
