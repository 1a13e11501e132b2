// The package's client for browsers: a session of one's own on an exec-server, or all processes of a gateway.
import { SUBPROTOCOL } from '../protocol/console-constants.ts';
import { PROOF } from '../protocol/proof.ts';
import { createExecClient } from './create-client.ts';
import type { ExecClient } from './exec-client.ts';
import { tokenCredential } from './proof.ts';
import { ProvenSocket } from './proven-socket.ts';
import { SessionClient } from './session-client.ts';
import type { SocketLike } from './socket-like.ts';

export * from './surface.ts';

declare const WebSocket: new (url: string, protocols?: string[]) => SocketLike;
declare const URL: new (
  url: string,
  base?: string | object,
) => {
  href: string;
  protocol: string;
  pathname: string;
  search: string;
};
declare const fetch: (
  url: string,
  options: { readonly cache: 'no-store' },
) => Promise<{ readonly status: number; text(): Promise<string> }>;

export interface ConnectOptions {
  /** Address of the gateway, as `wss://example.org/`; with a token it must be of the page's own origin. */
  readonly url: string;
  /** Secret that is proved to a gateway that knows it, and never sent. Needs a secure context. */
  readonly token?: string;
  /** Name shown to people for this client; default `browser`. */
  readonly clientName?: string;
}

/** A session of one's own, kept over lost connections. Rejects when it is refused for good. */
export async function connect(options: ConnectOptions): Promise<SessionClient> {
  const session = new SessionClient(clientOptions(options));
  await session.open();
  return session;
}

/** All processes of all sessions of a gateway; connects when `connection.open()` is called. */
export function createConsoleClient(options: ConnectOptions): ExecClient {
  return createExecClient(clientOptions(options));
}

function clientOptions({ url, token, clientName = 'browser' }: ConnectOptions) {
  if (token === undefined) return { socket: () => new WebSocket(url), clientName };
  const credential = tokenCredential(token);
  // The rejection is reported when the client connects; until then nothing handles it.
  credential.catch(() => undefined);
  const base = new URL(url);
  // Behind a proxy the gateway may have a path prefix.
  base.pathname = base.pathname.replace(/\/?$/, '/');
  base.search = '';
  base.protocol = base.protocol.replace('ws', 'http');
  const socket = (): SocketLike =>
    new ProvenSocket({
      credential: () => credential,
      ask: async (path) => {
        const answer = await fetch(new URL(path, base).href, { cache: 'no-store' });
        return { status: answer.status, body: await answer.text() };
      },
      // A browser sends no header of one's own with an upgrade, but protocols.
      dial: (proof) => new WebSocket(url, [SUBPROTOCOL.console, PROOF.subprotocol + proof]),
    });
  return { socket, clientName };
}
