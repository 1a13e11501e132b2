// Tests of the descriptions that a client gets of this machine and of its session.
import { basename } from 'node:path';
import { homedir, tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { FEATURES } from '../../protocol/features.ts';
import { PROTOCOL_VERSION } from '../../protocol/session.ts';
import { loginShell } from '../host/account.ts';
import type { User } from '../host/user.ts';
import { environmentInfo } from './environment-info.ts';
import { initializeResult } from './initialize-result.ts';
import type { Peer } from './peer.ts';
import type { Session } from './session.ts';

afterEach(() => vi.unstubAllEnvs());

it('the machine has the shell, folders and capabilities of the gateway’s own user', () => {
  vi.stubEnv('SHELL', '/opt/bin/fish');
  const info = environmentInfo('1.2.3', null);
  expect(info).toMatchObject({
    shell: { name: 'fish', path: '/opt/bin/fish' },
    executorVersion: '1.2.3',
    cwd: pathToFileURL(process.cwd()).href,
    userHomeDir: pathToFileURL(homedir()).href,
    tempDir: pathToFileURL(tmpdir()).href,
    prependPathDirs: [],
    temporaryDirectories: [],
  });
  expect(info.providerId).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(info.platformOs).toBe(process.platform === 'darwin' ? 'macos' : process.platform);
  const works = Object.entries(info.capabilities).filter(([, isThere]) => isThere);
  expect(works.map(([name]) => name).toSorted()).toEqual([
    'environmentConfigRead',
    'fileWriteStreaming',
    'fsWatchMissing',
  ]);
});

it('without a variable for the shell, the machine has the user’s login shell', () => {
  for (const none of ['', undefined]) {
    vi.stubEnv('SHELL', none);
    const path = loginShell();
    expect(environmentInfo('1', null).shell).toEqual({ name: basename(path), path });
  }
});

it('for another user, the machine has that user’s shell and home, and missing files are not watched', () => {
  const user = { shell: '/bin/zsh', home: '/srv/ada' } as User;
  const info = environmentInfo('1', user);
  expect(info).toMatchObject({
    shell: { name: 'zsh', path: '/bin/zsh' },
    cwd: 'file:///srv/ada',
    userHomeDir: 'file:///srv/ada',
  });
  expect(info.capabilities.fsWatchMissing).toBe(false);
});

it('a session is described with its role, and a share with its end', () => {
  const environment = environmentInfo('1', null);
  const session = { id: 'secret', label: 's-1' } as Session;
  const result = (identity: object) =>
    initializeResult({ label: 'c-1', identity } as Peer, session, { environment, version: '1.2.3' });
  const console = {
    version: '1.2.3',
    connection: 'c-1',
    session: 's-1',
    role: 'observer',
    features: FEATURES,
    share: null,
  };
  expect(result({ role: 'observer', expiresAtMs: 5 })).toEqual({
    sessionId: 'secret',
    environmentInfo: environment,
    protocolVersion: PROTOCOL_VERSION,
    console,
  });
  const share = { id: 'x', key: 'k' };
  expect(result({ role: 'observer', share, expiresAtMs: 5 }).console).toEqual({
    ...console,
    share: { key: 'k', expiresAtMs: 5 },
  });
  expect(result({ role: 'observer', share, expiresAtMs: null }).console?.share).toBeNull();
});
