// The keeper's socket outside the state folder, as seen from inside a sandbox: any program that connects to it
// can start processes without a sandbox.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { socketPath } from '../../keeper/wire/place.ts';
import { workspaceWrite } from '../../testing/intents.ts';
import { TestServer } from '../../testing/test-server.ts';

/** Length of a folder name that makes the path of a socket in the state folder longer than the system allows. */
const LONG = 110;

let dir: string;
let server: TestServer;
/** Path of a file in the socket's folder, which the attacks in these tests must not create. */
let made: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-far-'));
  const long = join(dir, 'x'.repeat(LONG));
  mkdirSync(long);
  vi.stubEnv('TMPDIR', long);
  server = await TestServer.start();
  made = join(dirname(socketPath(server.stateDir)), `test-${process.pid}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  rmSync(dir, { recursive: true });
  rmSync(made, { force: true });
});

describe.runIf(process.platform === 'linux')('The folder of a keeper’s socket', () => {
  it('[SB4] is out of reach in a sandbox, even with the network and where /tmp is writable', async () => {
    const folder = dirname(socketPath(server.stateDir));
    expect(folder).not.toBe(server.stateDir);
    const socket = `${made}.sock`;
    let connections = 0;
    const listening = createServer((line) => {
      connections += 1;
      line.destroy();
    }).listen(socket);
    await once(listening, 'listening');
    try {
      const client = await server.client('operator');
      const connect = `import socket; socket.socket(socket.AF_UNIX).connect('${socket}')`;
      const script = `python3 -c "${connect}"; echo >${made}; rm -f ${socket}; ls ${folder}; echo end`;
      const { key } = await client.start(['/bin/sh', '-c', script], {
        sandbox: workspaceWrite(dir, { network: 'enabled' }),
      });
      await client.request('process/wait', { key, until: 'closed', waitMs: 20_000 });
      expect(connections).toBe(0);
      expect(existsSync(made)).toBe(false);
      expect(existsSync(socket)).toBe(true);
    } finally {
      listening.close();
    }
  });

  it('[SB11] is out of reach of file requests', async () => {
    const client = await server.client('agent');
    const path = pathToFileURL(made).href;
    await expect(client.request('fs/writeFile', { path, dataBase64: '' })).rejects.toMatchObject({
      message: expect.stringContaining("the gateway's own state"),
    });
  });
});
