// The gateway's state through another mount of its file system: the built gateway in a separate mount namespace.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLocalGateway } from '../../policy/local-gateway.ts';
import { readOnly } from '../../testing/intents.ts';
import { CommandLine } from '../../testing/command-line.ts';
import { TestClient } from '../../testing/test-client.ts';

const hasMounts = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe.runIf(hasMounts)('The state folder at another mount of its file system', () => {
  let line: CommandLine;
  let client: TestClient;
  const outside = mkdtempSync(join(tmpdir(), 'other-names-'));
  beforeAll(async () => {
    const inside = (stateDir: string): string[] => [
      'unshare',
      '-m',
      'sh',
      '-c',
      'mount --bind "$0" /mnt && exec "$@"',
      stateDir,
    ];
    line = await CommandLine.start({ inside });
    client = await TestClient.open(line.url, { token: findLocalGateway(line.stateDir)?.token ?? '' });
    await client.initialize();
  });
  afterAll(async () => {
    client.ws.terminate();
    await line.stop();
    rmSync(outside, { recursive: true });
  });

  it.each(['/mnt/cli-token', '/mnt/tokens.json', '/mnt/../mnt/audit.jsonl', '/mnt'])(
    '[SB11] is out of reach of file requests: %s',
    async (path) => {
      const method = path === '/mnt' ? 'fs/readDirectory' : 'fs/readFile';
      await expect(client.request(method, { path: `file://${path}` })).rejects.toThrow('own state');
      await expect(
        client.request(method, { path: `file://${path}`, sandbox: readOnly('/') }),
      ).rejects.toMatchObject({ code: -32600 });
    },
  );

  it('[SB4] is hidden in a sandbox', async () => {
    const script = 'cat /mnt/cli-token /mnt/tokens.json; ls /mnt; echo ran';
    await client.request('process/start', {
      processId: 'p',
      argv: ['/bin/sh', '-c', script],
      cwd: 'file:///',
      env: { PATH: '/usr/bin:/bin' },
      tty: false,
      sandbox: readOnly('/'),
    });
    await client.until(() => client.log.some(({ method }) => method === 'process/closed'), 'its end');
    const printed = client.log
      .filter(({ method }) => method === 'process/output')
      .map(({ params }) => Buffer.from(String(params?.['chunk']), 'base64').toString())
      .join('');
    expect(printed).toContain('ran\n');
    expect(printed).not.toMatch(/^[\w-]{43}$|sha256|tokens\.json$/m);
  });

  it('[SB21] is refused to sandboxes while it has a name that is not UTF-8, also beside a decoy', async () => {
    const place = ['nsenter', '-t', String(line.gateway.pid), '-m'];
    const byName = (script: string): void =>
      void execFileSync(place[0] ?? '', [...place.slice(1), 'sh', '-c', `cd "$0" && ${script}`, outside]);
    const named = "$(printf 'b\\377')";
    const start = (): Promise<unknown> => client.start(['/bin/true'], { sandbox: readOnly('/') });
    byName(`mkdir ${named} b\ufffd && mount -t tmpfs none ${named} && ln -s ${named} link`);
    await start();
    byName(`umount ${named} && mount --bind /mnt ${named}`);
    await expect(start()).rejects.toMatchObject({ message: expect.stringContaining('b\ufffd is not UTF-8') });
    for (const sandbox of [null, readOnly('/')])
      await expect(
        client.request('fs/readFile', { path: `file://${outside}/link/cli-token`, sandbox }),
      ).rejects.toMatchObject({ code: -32600 });
    byName(`umount ${named}`);
    await start();
  });
});
