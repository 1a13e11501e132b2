// The gateway's token file and TLS key, wherever they are: a process that reads one of them gains more rights
// than an agent has.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import { TestServer } from '../../testing/test-server.ts';
import { Sandboxes, type Sandbox } from './sandboxes.ts';

let dir: string;
let server: TestServer;
let client: TestClient;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-secret-files-'));
});
afterEach(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

const uri = (name = ''): string => pathToFileURL(join(dir, name)).href;

async function start(sandbox: 'none' | 'read-only' | 'workspace-write'): Promise<void> {
  // Another file keeps the folder from being hidden.
  writeFileSync(join(dir, 'notes'), '');
  server = await TestServer.start({}, { tokenFile: join(dir, 'token'), sandbox });
  symlinkSync('token', join(dir, 'link'));
  client = await server.client('agent');
}

it.each(['none', 'read-only'] as const)(
  '[SB11] file requests cannot access secret files, with the floor %s',
  async (floor) => {
    await start(floor);
    for (const path of [uri('token'), uri('link')])
      await expect(client.request('fs/readFile', { path })).rejects.toMatchObject({
        code: expect.any(Number),
      });
    await expect(
      client.request('fs/copy', { sourcePath: uri(), destinationPath: uri('copy'), recursive: true }),
    ).rejects.toMatchObject({ code: expect.any(Number) });
    await expect(client.request('fs/remove', { path: uri('token') })).rejects.toMatchObject({
      code: expect.any(Number),
    });
  },
);

it.each(['none', 'read-only', 'workspace-write'] as const)(
  '[SB11] file requests cannot access secret files under another name of the same file, with the floor %s',
  async (floor) => {
    await start(floor);
    const state = server.stateDir;
    const [secret = ''] = readdirSync(state).filter((name) => statSync(join(state, name)).isFile());
    for (const [name, file] of Object.entries({ token: join(dir, 'token'), state: join(state, secret) })) {
      const folder = join(dir, `of-${name}`);
      mkdirSync(folder);
      linkSync(file, join(folder, 'linked'));
      symlinkSync('linked', join(folder, 'link'));
      const refused = { message: expect.stringContaining("the gateway's own state") };
      for (const path of [uri(`of-${name}/linked`), uri(`of-${name}/link`)]) {
        await expect(client.request('fs/readFile', { path })).rejects.toMatchObject(refused);
        await expect(client.request('fs/writeFile', { path, dataBase64: '' })).rejects.toMatchObject(refused);
        await expect(client.request('fs/open', { path, handleId: 'h' })).rejects.toMatchObject(refused);
      }
      if (floor === 'read-only') continue;
      for (const source of [`of-${name}`, `of-${name}/linked`]) {
        const copied = {
          sourcePath: uri(source),
          destinationPath: uri(`copy-${source.replace('/', '-')}`),
          recursive: true,
        };
        await expect(client.request('fs/copy', copied)).rejects.toMatchObject(refused);
      }
    }
  },
);

it('[SB11] file requests can access other files with several names', async () => {
  await start('none');
  writeFileSync(join(dir, 'one'), 'shared');
  linkSync(join(dir, 'one'), join(dir, 'two'));
  linkSync(join(dir, 'token'), join(dir, 'other-token'));
  expect(await client.request('fs/readFile', { path: uri('two') })).toEqual({
    dataBase64: Buffer.from('shared').toString('base64'),
  });
});

it('[SB4] a sandboxed command cannot read secret files', async () => {
  await start('read-only');
  const { key } = await client.start([
    '/bin/sh',
    '-c',
    `cat ${join(dir, 'link')} ${join(dir, 'token')}; echo ran`,
  ]);
  const operator = await server.client('operator');
  await operator.request('process/wait', { key, until: 'closed', waitMs: 20_000 });
  const { chunks } = await operator.request<{ chunks: { chunk: string }[] }>('process/read', {
    key,
    afterSeq: 0,
  });
  const printed = chunks.map(({ chunk }) => Buffer.from(chunk, 'base64').toString()).join('');
  expect(printed).toContain('ran');
  expect(printed).not.toMatch(/[\w-]{43}/);
});

describe.runIf(process.platform === 'linux')('[SB4] A running sandbox', () => {
  /** Resolves with the output of a shell that reads a file after `meanwhile` has run. */
  async function shown(file: string, meanwhile: () => void): Promise<string> {
    const go = join(dir, 'go');
    execFileSync('mkfifo', [go]);
    client = await server.client('operator');
    const script = 'echo up; read x <"$0"; cat "$1"; ls "$(dirname "$1")"; echo end';
    const { processId, key } = await client.start(['/bin/sh', '-c', script, go, file]);
    await client.waitEvent(processId, 'process/output');
    meanwhile();
    writeFileSync(go, 'x\n');
    await client.request('process/wait', { key, until: 'closed', waitMs: 20_000 });
    const { chunks } = await client.request<{ chunks: { chunk: string }[] }>('process/read', {
      key,
      afterSeq: 0,
    });
    return chunks.map(({ chunk }) => Buffer.from(chunk, 'base64').toString()).join('');
  }

  const replace = (file: string): void => {
    writeFileSync(`${file}.new`, 'the next secret');
    renameSync(`${file}.new`, file);
  };

  it('hides a new token file that replaces the earlier one in the file’s own folder', async () => {
    const file = join(dir, 'own', 'token');
    mkdirSync(join(dir, 'own'));
    server = await TestServer.start({}, { tokenFile: file, sandbox: 'read-only' });
    const printed = await shown(file, () => replace(file));
    expect(printed).toContain('end\n');
    expect(printed).not.toContain('the next secret');
    expect(server.logged.filter((line) => line.includes('separate folder'))).toEqual([]);
  });

  it('does not hide a new token file among other files, and the operator is warned of this', async () => {
    await start('read-only');
    const file = join(dir, 'token');
    expect(await shown(file, () => replace(file))).toContain('the next secret');
    expect(server.logged).toContainEqual(
      expect.stringContaining(`${realpathSync(file)}, or a link on its path, is in a folder`),
    );
  });
});

describe.runIf(process.platform === 'linux')('[SB4] The state folder', () => {
  it('is still hidden and used by sandboxes when the link in its path is changed', async () => {
    server = await TestServer.start();
    const [real, other, named] = ['real', 'other', 'named'].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [real, other]) mkdirSync(folder);
    writeFileSync(join(real, 'tokens.json'), 'a secret');
    symlinkSync(real, named);
    const sandboxes = new Sandboxes({ stateDir: named, floor: 'read-only', user: null });
    await sandboxes.prepare();
    rmSync(named);
    symlinkSync(other, named);
    const sandbox = sandboxes.sandbox(null, { cwd: '/', tmpdir: undefined }) as Sandbox;
    const { argv, env, leave } = sandbox.enter({
      argv: ['/bin/cat', join(real, 'tokens.json')],
      arg0: null,
      cwd: '/',
      env: {},
    });
    const [file = '', ...args] = argv;
    expect(args.find((arg) => arg.endsWith('.bpf'))).toBe(join(real, 'sandbox', 'restricted.bpf'));
    const { stdout, stderr } = spawnSync(file, args, { env, cwd: '/', encoding: 'utf8' });
    void leave();
    expect(stdout).toBe('');
    expect(stderr).toContain('Permission denied');
  });
});
