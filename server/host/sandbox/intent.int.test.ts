// Intents on a real file system: the resulting policies, and refused intents.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sandboxIntent } from '../../../protocol/sandbox.ts';
import { policyOf } from './intent.ts';
import { accessAt, type Policy } from './policy.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-intent-')));
mkdirSync(join(top, 'a/b'), { recursive: true });
symlinkSync('a', join(top, 'link'));
afterAll(() => rmSync(top, { recursive: true }));

const root = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };
const at = (path: string, access: string): object => ({
  path: { type: 'path', path: `file://${join(top, path)}` },
  access,
});

function policy(entries: readonly object[], permissions = {}): Policy {
  const file_system = { type: 'restricted', entries };
  const intent = sandboxIntent.parse({
    permissions: { type: 'managed', file_system, network: 'restricted', ...permissions },
    workspaceRoots: [`file://${top}`],
  });
  return policyOf(intent, { cwd: top, tmpdir: undefined, masked: [] });
}

it.each([
  ['for write in read', [at('a', 'read'), at('a/b', 'write')], 'a/b', 'write'],
  ['for read in write', [at('a', 'write'), at('a/b', 'read')], 'a/b', 'read'],
  ['for both on one path', [at('a', 'write'), at('a', 'read')], 'a', 'read'],
  ['for both in the other order', [at('a', 'read'), at('a', 'write')], 'a', 'read'],
  ['for a writable link', [at('link', 'write')], 'a', 'write'],
])('[SB2] policyOf grants the right access %s', (_name, entries, path, access) => {
  expect(accessAt(policy([root, ...entries]).grants, join(top, path))).toBe(access);
});

it('[SB2] policyOf denies a folder with everything in it', () => {
  const { denied } = policy([root, at('a/b', 'none'), at('a', 'none'), at('a/b', 'write')]);
  expect(denied).toEqual([{ path: join(top, 'a'), kind: 'folder' }]);
});

it.each<[string, readonly object[], object]>([
  ['no root', [at('a', 'write')], {}],
  ['access', [root, at('a', 'append')], {}],
  ['network', [root], { network: 'maybe' }],
  ['type', [root], { type: 'external' }],
  ['symbolic link', [root, at('link', 'read')], {}],
  ['does not exist', [root, at('gone', 'none')], {}],
  ['extra', [root], { extra: 1 }],
  [
    'subpath',
    [root, { ...root, path: { type: 'special', value: { kind: 'project_roots', subpath: '../x' } } }],
    {},
  ],
])('[SB1] policyOf rejects an intent, and names the cause: %s', (name, entries, permissions) => {
  expect(() => policy(entries, permissions)).toThrow(name === 'no root' ? 'read access to /' : name);
});

it('[SB19] policyOf rejects more paths than the limit before it checks any, and more roots than the limit', () => {
  const subpath = (index: number): object => ({
    path: { type: 'special', value: { kind: 'project_roots', subpath: `s${index}` } },
    access: 'read',
  });
  const many = (roots: number, entries: number): Policy => {
    const intent = sandboxIntent.parse({
      permissions: {
        type: 'managed',
        file_system: {
          type: 'restricted',
          entries: [root, ...Array.from({ length: entries }, (_, i) => subpath(i))],
        },
        network: 'restricted',
      },
      workspaceRoots: Array.from({ length: roots }, () => `file://${top}`),
    });
    return policyOf(intent, { cwd: top, tmpdir: undefined, masked: [] });
  };
  expect(() => many(64, 31)).not.toThrow();
  expect(() => many(64, 32)).toThrow('2,049 paths are named; the limit is 2,048');
  expect(() => many(65, 1)).toThrow('workspaceRoots');
});

it('[LI17] a parsed intent contains no members without a meaning here', () => {
  const intent = sandboxIntent.parse({
    permissions: {
      type: 'managed',
      file_system: { type: 'restricted', entries: [root] },
      network: 'restricted',
    },
    policyContext: Array.from({ length: 1000 }, () => ({})),
    userHomeDir: { a: 1 },
    windowsSandboxLevel: 'disabled',
    windowsSandboxProxySettingsMode: 'reconcile',
  });
  expect(JSON.parse(JSON.stringify(intent))).toEqual({
    permissions: {
      type: 'managed',
      file_system: { type: 'restricted', entries: [root] },
      network: 'restricted',
    },
  });
});

it.runIf(process.platform === 'linux').each(['write', 'read', 'none'])(
  '[SB21] policyOf rejects a path that leads to a name that is not UTF-8, beside a decoy: access %s',
  (access) => {
    const folder = Buffer.concat([Buffer.from(join(top, access)), Buffer.from([0xff])]);
    symlinkSync(folder, join(top, `to-${access}`));
    mkdirSync(folder);
    mkdirSync(join(top, `to-${access}/sub`));
    mkdirSync(join(top, `${access}\ufffd/sub`), { recursive: true });
    const entry = { ...at(`to-${access}/sub`, access), missing_path_behavior: 'skip' };
    expect(() => policy([root, entry])).toThrow('is not UTF-8');
  },
);
