// Builds the client from a connection and the processes on it.
import { WINDOW_BYTES } from '../protocol/console-constants.ts';
import { ClientConnection } from './connection.ts';
import type { OpenFailure } from './open-failure.ts';
import type { ExecClient } from './exec-client.ts';
import { LIVENESS, type LivenessLimits } from './liveness.ts';
import { ClientProcesses } from './processes.ts';
import { systemRuntime, type Runtime } from './runtime.ts';
import type { SocketLike } from './socket-like.ts';

export interface ExecClientOptions {
  /** Creates a WebSocket to the gateway with the required credential; called for every attempt. */
  readonly socket: () => SocketLike;
  /** Client name shown to people. */
  readonly clientName: string;
  /**
   * Called when a socket did not open, to find out whether the credential was refused or the gateway is
   * unreachable; a browser's WebSocket does not report this. Default: the gateway counts as unreachable.
   */
  readonly probe?: () => Promise<OpenFailure>;
  /** Number of the newest change that an earlier client received; the gateway first sends the activity since then. */
  readonly sinceChange?: number;
  /** Maximum bytes of one process's output that are in flight or not yet drawn; default: 1 MiB. */
  readonly windowBytes?: number;
  readonly runtime?: Runtime;
  readonly liveness?: LivenessLimits;
}

/** Creates a client; it connects on `connection.open()`. */
export function createExecClient(options: ExecClientOptions): ExecClient {
  const { socket, clientName, probe, runtime = systemRuntime, liveness = LIVENESS } = options;
  const processes = new ClientProcesses({
    windowBytes: options.windowBytes ?? WINDOW_BYTES.default,
    runtime,
    sinceChange: options.sinceChange ?? null,
  });
  const connection = new ClientConnection({
    socket,
    clientName,
    ...(probe && { probe }),
    runtime,
    liveness,
    follower: processes,
  });
  processes.liveOn(connection);
  return { connection, processes };
}
