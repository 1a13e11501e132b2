// Tests of the configuration of the machine and its agents over a real socket: rules EN1 and EN2.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EnvironmentConfig } from '../../../protocol/environment-config.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let client: TestClient;
let dir: string;
const before = process.env['CODEX_HOME'];
beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'config-')));
  process.env['CODEX_HOME'] = join(dir, 'home');
  server = await TestServer.start();
  client = await server.client();
});
afterEach(async () => {
  if (before === undefined) delete process.env['CODEX_HOME'];
  else process.env['CODEX_HOME'] = before;
  await server.stop();
  rmSync(dir, { recursive: true });
});

const uri = (path: string): string => pathToFileURL(join(dir, path)).href;
function make(path: string, content: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}
const read = (configPaths: string[][], cwd = uri('work/sub')): Promise<EnvironmentConfig> =>
  client.request('environmentConfig/read', { cwd, configPaths, requirementsPaths: [] });

it('[EN1] environmentConfig/read returns the requested parts of the user’s configuration as written', async () => {
  make(
    'home/config.toml',
    'model = "m"\nsecret = 1\n[mcp_servers.one]\ncommand = "foo"\nargs = ["a", 1.0]\nn = 5\n[other]\nk = 2024-01-01\n',
  );
  const config = await read([
    ['mcp_servers', 'one', 'args'],
    ['mcp_servers', 'one', 'n'],
    ['other'],
    ['nothing'],
    ['__proto__'],
  ]);
  expect(config).toMatchObject({
    codexHomeDir: uri('home'),
    requirements: { layers: [], cloudInsertionIndex: 0 },
  });
  expect(config.config.layers).toEqual([
    {
      source: `user (${join(dir, 'home/config.toml')})`,
      baseDir: uri('home'),
      toml: '[mcp_servers.one]\nargs = [ "a", 1.0 ]\nn = 5\n\n[other]\nk = 2024-01-01\n',
    },
  ]);
});

it('[EN1] environmentConfig/read adds a project’s configuration only when the user trusts it', async () => {
  make('work/.git/HEAD', '');
  make('work/.codex/config.toml', '[mcp_servers.two]\ncommand = "bar"\n');
  make('work/sub/.codex/config.toml', '[mcp_servers.three]\ncommand = "baz"\n');
  make('home/config.toml', '[mcp_servers.one]\ncommand = "foo"\n');
  const layers = async (): Promise<string[]> =>
    (await read([['mcp_servers']])).config.layers.map(({ toml }) => toml.split('\n')[0] ?? '');
  expect(await layers()).toEqual(['[mcp_servers.one]']);
  make(
    'home/config.toml',
    `[mcp_servers.one]\ncommand = "foo"\n[projects."${join(dir, 'work')}"]\ntrust_level = "trusted"\n`,
  );
  expect(await layers()).toEqual(['[mcp_servers.one]', '[mcp_servers.two]', '[mcp_servers.three]']);
});

it('[EN2] environmentConfig/read returns nothing without a configuration, and names a broken one', async () => {
  expect((await read([['mcp_servers']])).config.layers).toEqual([]);
  make('home/config.toml', 'model = [broken');
  await expect(read([['mcp_servers']])).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining(join(dir, 'home/config.toml')),
  });
});

it.each([
  { configPaths: [], requirementsPaths: [] },
  { configPaths: [[]], requirementsPaths: [] },
  { configPaths: [['a']] },
  { configPaths: [['a']], requirementsPaths: [], cwd: '/tmp' },
  { configPaths: [['a']], requirementsPaths: [], cwd: null },
])('[EN2] environmentConfig/read rejects %j', async (params) => {
  await expect(
    client.request('environmentConfig/read', { cwd: 'file:///', ...params }),
  ).rejects.toMatchObject({
    code: -32602,
  });
});
