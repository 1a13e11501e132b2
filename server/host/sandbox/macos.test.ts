// The profile for sandbox-exec, as text.
import { expect, it } from 'vitest';
import { seatbeltArgv, seatbeltProfile } from './macos.ts';

it('[SB4] seatbeltProfile puts denied paths last, and quotes paths', () => {
  const profile = seatbeltProfile({
    grants: [
      { path: '/', access: 'read', kind: 'folder' },
      { path: '/w"x', access: 'write', kind: 'folder' },
    ],
    denied: [{ path: '/w/secret', kind: 'file' }],
    network: 'restricted',
  });
  expect(profile.trimEnd().split('\n').slice(-3)).toEqual([
    '(deny file-write* (subpath "/"))',
    '(allow file-write* (subpath "/w\\"x"))',
    '(deny file-read* file-write* (subpath "/w/secret"))',
  ]);
  expect(profile).toContain('(deny default)');
  expect(profile).not.toContain('network');
});

it('[SB4] seatbeltArgv passes the command on unchanged', () => {
  const policy = { grants: [], denied: [], network: 'enabled' } as const;
  const argv = ['sh', '-c', 'echo "$1"', '-p'];
  const env = { PATH: '/bin' };
  expect(seatbeltArgv(policy, { argv, arg0: null, cwd: '/', env })).toEqual([
    '/usr/bin/sandbox-exec',
    '-p',
    seatbeltProfile(policy),
    '--',
    '/usr/bin/env',
    '-i',
    "-S-- 'PATH='${V0}",
    'sh',
    '-c',
    'echo "$1"',
    '-p',
  ]);
});
