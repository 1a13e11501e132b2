// The package's client for Node: a session on a running or spawned exec-server, or all processes of a
// gateway.
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { askBounded } from '../bounded-answer.ts';
import { createExecClient } from '../create-client.ts';
import type { ExecClient } from '../exec-client.ts';
import type { OpenFailure } from '../open-failure.ts';
import { SessionClient } from '../session-client.ts';
import { tokenCredential } from '../proof.ts';
import { ProvenSocket } from '../proven-socket.ts';
import type { SocketLike } from '../socket-like.ts';
import { PROOF } from '../../protocol/proof.ts';
import { SpawnedSocket } from './spawned-socket.ts';

export * from '../surface.ts';

export type ConnectOptions = {
  /** Client name shown to people; default `node`. */
  readonly clientName?: string;
} & (ServerThatRuns | ServerToSpawn);

export interface ServerThatRuns {
  /** Address of the gateway, such as `ws://127.0.0.1:7420`. A `?token=` in it is the default for `token`. */
  readonly url: string;
  /** Secret that is proved and never sent in plain text; the gateway must know it. */
  readonly token?: string;
}

export interface ServerToSpawn {
  /**
   * Spawns an exec-server that uses stdin and stdout and ends with the client: `gateway` spawns this package's
   * gateway, a list spawns that command, such as `['codex', 'exec-server', '--listen', 'stdio']`.
   */
  readonly spawn: 'gateway' | readonly [command: string, ...args: string[]];
}

/** Status codes of a refused upgrade for which retrying is useless. */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 421];

/** Opens a session that survives lost connections. Rejects when the first attempt to connect or spawn fails. */
export async function connect(options: ConnectOptions): Promise<SessionClient> {
  const session = new SessionClient(clientOptions(options));
  await session.open();
  return session;
}

/** Returns a client for all processes of all sessions of a gateway; it connects on `connection.open()`. */
export function createConsoleClient(options: ConnectOptions): ExecClient {
  return createExecClient(clientOptions(options));
}

interface ClientOptions {
  readonly socket: () => SocketLike;
  readonly clientName: string;
  readonly probe?: () => Promise<OpenFailure>;
}

function clientOptions(options: ConnectOptions): ClientOptions {
  const { clientName = 'node' } = options;
  if ('spawn' in options) {
    const [command, ...args] = options.spawn === 'gateway' ? gatewayCommand() : options.spawn;
    return { socket: () => new SpawnedSocket(command, args), clientName };
  }
  let failure: OpenFailure = 'unreachable';
  const probe = (): Promise<OpenFailure> => Promise.resolve(failure);
  const url = new URL(options.url);
  const token = options.token ?? url.searchParams.get('token');
  url.searchParams.delete('token');
  const dial = (headers: Readonly<Record<string, string>> = {}): SocketLike => {
    const made = new WebSocket(url, { headers, perMessageDeflate: false, maxPayload: 0 });
    made.on('unexpected-response', (_request, { statusCode = 0 }) => {
      failure = REFUSALS.includes(statusCode) ? 'refused' : 'unreachable';
      made.terminate();
    });
    return made;
  };
  if (token === null) return { socket: () => dial(), clientName, probe };
  const credential = tokenCredential(token);
  // The gateway may have a path prefix behind a proxy.
  const base = new URL(url.pathname.replace(/\/?$/, '/'), url);
  base.protocol = base.protocol.replace('ws', 'http');
  const socket = (): SocketLike =>
    new ProvenSocket({
      credential: () => credential,
      ask: (path) => askBounded(new URL(path, base).href),
      dial: (proof) => dial({ authorization: `${PROOF.scheme} ${proof}` }),
    });
  return { socket, clientName, probe };
}

/** Returns the command for this package's gateway, which is built next to this file's folder. */
function gatewayCommand(): [string, ...string[]] {
  return [process.execPath, fileURLToPath(new URL('../main.js', import.meta.url)), '--listen', 'stdio://'];
}
