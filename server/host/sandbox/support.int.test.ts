// Hosts with and without support for sandboxes: their messages, and the requests that they refuse.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxIntent } from '../../../protocol/sandbox.ts';
import { readOnly } from '../../testing/intents.ts';
import { Sandboxes } from './sandboxes.ts';
import { isFiltered, seccompFilter } from './seccomp.ts';
import { explained, findSupport } from './support.ts';

const top = mkdtempSync(join(tmpdir(), 'sandbox-support-'));
const filter = join(top, 'filter');
const fake = join(top, 'bwrap');

beforeAll(() => {
  if (isFiltered(process.arch)) writeFileSync(filter, seccompFilter(process.arch, 'restricted'));
});
afterAll(() => rmSync(top, { recursive: true }));

function fakeBwrap(script: string): string[] {
  writeFileSync(fake, `#!/bin/sh\n${script}\n`);
  chmodSync(fake, 0o755);
  return [fake];
}

it('[SB5] this host supports sandboxes', async () => {
  expect(await findSupport(filter)).toMatchObject({ means: 'bubblewrap' });
});

it.each([
  ['no bwrap', () => [join(top, 'none')], 'install the package bubblewrap'],
  [
    'an old bwrap',
    () => fakeBwrap('echo "bwrap: Unknown option --disable-userns" >&2; exit 1'),
    'install 0.8 or newer',
  ],
  [
    'a bwrap that the kernel forbids',
    () => fakeBwrap('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1'),
    'allow unprivileged user namespaces',
  ],
  ['a bwrap that fails otherwise', () => fakeBwrap('echo "bwrap: no idea" >&2; exit 1'), 'bwrap: no idea'],
])('[SB5] findSupport explains what to do on a host with %s', async (_what, places, advice) => {
  expect(await findSupport(filter, { places: places() })).toMatchObject({
    means: null,
    reason: expect.stringContaining(advice),
  });
});

it('[SB20] a host that forbids private namespaces supports sandboxes only if its mounts are private', async () => {
  const isShared = / (?:shared|master):\d/.test(readFileSync('/proc/self/mountinfo', 'utf8'));
  const support = await findSupport(filter, {
    privately: ['/bin/sh', '-c', 'echo "unshare: Operation not permitted" >&2; exit 1'],
  });
  expect(support).toMatchObject(
    isShared
      ? { means: null, reason: expect.stringContaining('for bwrap and unshare') }
      : { means: 'bubblewrap', bwrap: [expect.stringMatching(/bwrap$/)] },
  );
});

it('[SB5] explained truncates long messages of bubblewrap', () => {
  expect(explained('x'.repeat(10_000)).length).toBeLessThan(500);
});

it('[SB5] sandboxes are refused before their preparation, and after it has failed', async () => {
  const intent = sandboxIntent.parse(readOnly('/'));
  const where = { cwd: '/', tmpdir: undefined };
  const sandboxes = new Sandboxes({ stateDir: '/dev/null/nowhere', floor: 'none', user: null });
  expect(() => sandboxes.sandbox(intent, where)).toThrow('cannot enforce a sandbox');
  await sandboxes.prepare();
  expect(sandboxes.failure).toContain('/dev/null/nowhere');
  expect(() => sandboxes.sandbox(intent, where)).toThrow('/dev/null/nowhere');
  expect(sandboxes.sandbox(null, where)).toBeNull();
  const floored = new Sandboxes({ stateDir: '/dev/null/nowhere', floor: 'read-only', user: null });
  expect(() => floored.sandbox(null, where)).toThrow('cannot enforce a sandbox');
});

it.runIf(process.platform === 'linux')(
  '[SB21] sandboxes are refused when the state folder is not UTF-8',
  async () => {
    const folder = Buffer.concat([Buffer.from(join(top, 's')), Buffer.from([0xff])]);
    mkdirSync(folder);
    symlinkSync(folder, join(top, 'link'));
    const sandboxes = new Sandboxes({ stateDir: join(top, 'link'), floor: 'read-only', user: null });
    await sandboxes.prepare();
    expect(sandboxes.failure).toContain('is not UTF-8');
  },
);
