// Exec-servers for the client's tests: the gateway in each form, and the original server if CODEX_BIN names
// it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ConnectOptions } from '../../client/node/connect.ts';
import { stdioGateway } from './stdio-wire.ts';
import { TestServer } from './test-server.ts';

/** A server to connect to; `url` is null for one that the client spawns and reaches over stdio. */
export interface RunningServer {
  readonly options: ConnectOptions;
  readonly url: URL | null;
  stop(): Promise<void>;
}

export interface ServerKind {
  readonly name: string;
  /** True when the server has the additions of exec-console. */
  readonly offersConsole: boolean;
  readonly run: () => Promise<RunningServer>;
}

const gateway: ServerKind = {
  name: 'the gateway',
  offersConsole: true,
  async run() {
    const server = await TestServer.start();
    const url = new URL(server.url);
    url.searchParams.set('token', server.token('agent'));
    return { options: { url: url.href }, url, stop: () => server.stop() };
  },
};

const spawnedGateway: ServerKind = {
  name: 'the gateway, spawned',
  offersConsole: true,
  run: async () => ({
    options: { spawn: await stdioGateway() },
    url: null,
    stop: () => Promise.resolve(),
  }),
};

function reference(codex: string): ServerKind[] {
  return [
    {
      name: 'the real exec-server',
      offersConsole: false,
      async run() {
        const child = spawn(codex, ['exec-server', '--listen', 'ws://127.0.0.1:0'], {
          stdio: ['ignore', 'pipe', 'ignore'],
          // The installed program starts the actual server as its child, so both are killed as a group.
          detached: true,
        });
        const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
        return {
          options: { url: line },
          url: new URL(line),
          async stop() {
            if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
            await once(child, 'close');
          },
        };
      },
    },
    {
      name: 'the real exec-server, spawned',
      offersConsole: false,
      run: () =>
        Promise.resolve({
          options: { spawn: [codex, 'exec-server', '--listen', 'stdio'] },
          url: null,
          stop: () => Promise.resolve(),
        }),
    },
  ];
}

const codex = process.env['CODEX_BIN'];
export const SERVER_KINDS: readonly ServerKind[] = [
  gateway,
  spawnedGateway,
  ...(codex === undefined ? [] : reference(codex)),
];
