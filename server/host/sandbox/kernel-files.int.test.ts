// Kernel files, which no sandbox makes writable. No file is opened here: access(2) and the mount table are sufficient.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bwrapArgs } from './bubblewrap.ts';
import type { Grant, Policy } from './policy.ts';
import { isFiltered, seccompFilter } from './seccomp.ts';
import { findSupport, type Support } from './support.ts';

/** Finds the kernel's files, except those of processes, that the caller can write to; `-writable` uses access(2). */
const WRITABLE = String.raw`find /proc /sys -path '/proc/[0-9]*' -prune -o ! -type l -writable -print`;

const folder = mkdtempSync(join(tmpdir(), 'kernel-files-'));
const filter = join(folder, 'filter');
let support: Support;

beforeAll(async () => {
  if (isFiltered(process.arch)) writeFileSync(filter, seccompFilter(process.arch, 'restricted'));
  support = await findSupport(filter);
});
afterAll(() => rmSync(folder, { recursive: true }));

function inside(grants: readonly Grant[], network: Policy['network'], script: string): string {
  if (support.means !== 'bubblewrap') throw new Error('these tests need bubblewrap');
  const args = bwrapArgs({ grants, denied: [], network }, '/');
  const shell = ['-c', 'exec "$@" 9<"$0"', filter, ...support.bwrap, ...args, '--', '/bin/sh', '-c', script];
  return execFileSync('/bin/sh', shell, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

const grant = (path: string, access: Grant['access']): Grant => ({ path, access, kind: 'folder' });

describe.each([
  ['read-only', [grant('/', 'read')]],
  ['writing to /tmp and a folder', [grant('/', 'read'), grant('/tmp', 'write'), grant(folder, 'write')]],
  ['writing everywhere', [grant('/', 'write')]],
])('[SB14] A sandbox %s', (_name, grants) => {
  it.each(['restricted', 'enabled'] as const)('leaves no kernel file writable, network %s', (network) => {
    expect(inside(grants, network, `${WRITABLE} || true`)).toBe('');
  });

  it('mounts the kernel settings read-only', () => {
    const table = inside(grants, 'restricted', 'cat /proc/self/mountinfo');
    const options = (path: string): string | undefined =>
      table
        .split('\n')
        .map((line) => line.split(' '))
        .findLast((fields) => fields[4] === path)?.[5];
    expect(options('/proc/sys')).toMatch(/^ro,/);
    expect(options('/sys')).toMatch(/^ro,/);
  });

  it('can still write to its granted paths, and to its own files in /proc', () => {
    const [place] = grants.filter(({ access }) => access === 'write').slice(-1);
    const script = place ? `echo x > '${join(folder, 'new')}' && ` : '';
    expect(inside(grants, 'restricted', `${script}test -w /proc/self/comm && echo done`)).toBe('done\n');
  });
});

it.runIf(process.getuid?.() === 0)('[SB14] the search finds writable kernel files outside a sandbox', () => {
  const found = execFileSync('/bin/sh', ['-c', `${WRITABLE} || true`], { encoding: 'utf8' });
  expect(found).toContain('/proc/sys/kernel/core_pattern\n');
});
