// The package's client for Node: a session of one's own on an exec-server that runs or is spawned, or a gateway's whole.
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import type { OpenFailure } from '../connection.ts';
import { createExecClient } from '../create-client.ts';
import type { ExecClient } from '../exec-client.ts';
import { SessionClient } from '../session-client.ts';
import { tokenCredential } from '../proof.ts';
import { ProvenSocket } from '../proven-socket.ts';
import type { SocketLike } from '../socket-like.ts';
import { PROOF } from '../../protocol/proof.ts';
import { SpawnedSocket } from './spawned-socket.ts';

export * from '../surface.ts';

export type ConnectOptions = {
  /** Name shown to people for this client; default `node`. */
  readonly clientName?: string;
} & (ServerThatRuns | ServerToSpawn);

export interface ServerThatRuns {
  /** Address of the gateway, as `ws://127.0.0.1:7420`; a `?token=` in it is the token. */
  readonly url: string;
  /** Secret that is proved to a gateway that knows it, and never sent. */
  readonly token?: string;
}

export interface ServerToSpawn {
  /**
   * An exec-server of one's own, spoken with over its stdin and stdout, which ends with the client: `gateway` is this
   * package's, anything else a command line, as `['codex', 'exec-server', '--listen', 'stdio']`.
   */
  readonly spawn: 'gateway' | readonly [command: string, ...args: string[]];
}

/** Time that a gateway has for its challenge. */
const ANSWER_MS = 10_000;

/** Status codes of a refused upgrade that another attempt would get as well. */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 421];

/** A session of one's own, kept over lost connections. Rejects when it is refused for good, or nothing can be spawned. */
export async function connect(options: ConnectOptions): Promise<SessionClient> {
  const session = new SessionClient(clientOptions(options));
  await session.open();
  return session;
}

/** All processes of all sessions of a gateway; connects when `connection.open()` is called. */
export function createConsoleClient(options: ConnectOptions): ExecClient {
  return createExecClient(clientOptions(options));
}

interface ClientOptions {
  readonly socket: () => SocketLike;
  readonly clientName: string;
  readonly probe: () => Promise<OpenFailure>;
}

function clientOptions(options: ConnectOptions): ClientOptions {
  const { clientName = 'node' } = options;
  let failure: OpenFailure = 'unreachable';
  const probe = (): Promise<OpenFailure> => Promise.resolve(failure);
  if ('spawn' in options) {
    const [command, ...args] = options.spawn === 'gateway' ? gatewayCommand() : options.spawn;
    const socket = (): SocketLike =>
      // A program that cannot be started now cannot be started later.
      new SpawnedSocket(command, args, { cannotStart: () => (failure = 'refused') });
    return { socket, clientName, probe };
  }
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
  // Behind a proxy the gateway may have a path prefix.
  const base = new URL(url.pathname.replace(/\/?$/, '/'), url);
  base.protocol = base.protocol.replace('ws', 'http');
  const socket = (): SocketLike =>
    new ProvenSocket({
      credential: () => credential,
      ask: async (path) => {
        const answer = await fetch(new URL(path, base), {
          redirect: 'error',
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        return { status: answer.status, body: await answer.text() };
      },
      dial: (proof) => dial({ authorization: `${PROOF.scheme} ${proof}` }),
    });
  return { socket, clientName, probe };
}

/** Returns this package's own command, which is built beside this file's folder. */
function gatewayCommand(): [string, ...string[]] {
  return [process.execPath, fileURLToPath(new URL('../main.js', import.meta.url)), '--listen', 'stdio://'];
}
