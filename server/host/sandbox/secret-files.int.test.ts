// The gateway's token file and TLS key, wherever they lie: whoever reads one of them is more than an agent.
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import { TestServer } from '../../testing/test-server.ts';

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

async function start(sandbox: 'none' | 'read-only'): Promise<void> {
  server = await TestServer.start({}, { tokenFile: join(dir, 'token'), sandbox });
  symlinkSync('token', join(dir, 'link'));
  client = await server.client('agent');
}

it.each(['none', 'read-only'] as const)(
  '[SB11] are denied to file requests, with the floor %s',
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

it.each(['none', 'read-only'] as const)(
  '[SB11] are denied to file requests under another name of the same file, with the floor %s',
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

it('[SB11] are no reason to deny other files with several names', async () => {
  await start('none');
  writeFileSync(join(dir, 'one'), 'shared');
  linkSync(join(dir, 'one'), join(dir, 'two'));
  linkSync(join(dir, 'token'), join(dir, 'other-token'));
  expect(await client.request('fs/readFile', { path: uri('two') })).toEqual({
    dataBase64: Buffer.from('shared').toString('base64'),
  });
});

it('[SB4] say nothing in a sandbox', async () => {
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
