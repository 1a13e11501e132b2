// The package's client for browsers: its own session on an exec-server, or all processes of a gateway.
import { SUBPROTOCOL } from '../protocol/console-constants.ts';
import { PROOF } from '../protocol/proof.ts';
import { askBounded } from './bounded-answer.ts';
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

export interface ConnectOptions {
  /** Address of the gateway, such as `wss://example.org/`; with a token it must have the page's origin. */
  readonly url: string;
  /**
   * Secret that is proved and never sent in plain text; the gateway must know it. Requires a secure context.
   */
  readonly token?: string;
  /** Client name shown to people; default `browser`. */
  readonly clientName?: string;
}

/** Opens a session that survives lost connections. Rejects when the first attempt to connect fails. */
export async function connect(options: ConnectOptions): Promise<SessionClient> {
  const session = new SessionClient(clientOptions(options));
  await session.open();
  return session;
}

/** Returns a client for all processes of all sessions of a gateway; it connects on `connection.open()`. */
export function createConsoleClient(options: ConnectOptions): ExecClient {
  return createExecClient(clientOptions(options));
}

function clientOptions({ url, token, clientName = 'browser' }: ConnectOptions) {
  if (token === undefined) return { socket: () => new WebSocket(url), clientName };
  const credential = tokenCredential(token);
  // The error is reported when the client connects; before that, the rejection must not count as unhandled.
  credential.catch(() => undefined);
  const base = new URL(url);
  // The gateway may have a path prefix behind a proxy.
  base.pathname = base.pathname.replace(/\/?$/, '/');
  base.search = '';
  base.protocol = base.protocol.replace('ws', 'http');
  const socket = (): SocketLike =>
    new ProvenSocket({
      credential: () => credential,
      ask: (path) => askBounded(new URL(path, base).href),
      // Browsers can't set headers on a WebSocket upgrade, but they can set subprotocols.
      dial: (proof) => new WebSocket(url, [SUBPROTOCOL.console, PROOF.subprotocol + proof]),
    });
  return { socket, clientName };
}
