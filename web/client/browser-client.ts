// The package's client for browsers: a session of one's own on an exec-server, or all processes of a gateway.
import { SUBPROTOCOL } from '../../server/protocol/console-constants.ts';
import { createExecClient } from './create-client.ts';
import type { ExecClient } from './exec-client.ts';
import { SessionClient } from './session-client.ts';
import type { SocketLike } from './socket-like.ts';

export * from './surface.ts';

declare const WebSocket: new (url: string, protocols?: string[]) => SocketLike;

export interface ConnectOptions {
  /** As `wss://example.org/`; the gateway must allow the page's origin. */
  readonly url: string;
  /** The gateway's proof of identity. */
  readonly token?: string;
  /** Shown to people as who it is; default `browser`. */
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
  // A browser sends no header of one's own with an upgrade, but protocols.
  const protocols = token === undefined ? [] : [SUBPROTOCOL.console, SUBPROTOCOL.tokenPrefix + token];
  return { socket: () => new WebSocket(url, protocols), clientName };
}
