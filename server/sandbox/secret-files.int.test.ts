// The gateway's token file and TLS key, wherever they lie: whoever reads one of them is more than an agent.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

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
