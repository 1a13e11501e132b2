// Connects one command to the gateway, or reports the reason for a refusal, and gives up on a lost connection after a
// time limit.
import { WebSocket } from 'ws';
import { visible } from '../../text/visible.ts';
import type { ConnectionState } from '../../client/connection-state.ts';
import { createExecClient } from '../../client/create-client.ts';
import {
  ConnectionLost,
  NotOnline,
  type Connection,
  type ExecClient,
  type Online,
} from '../../client/exec-client.ts';
import { tokenCredential } from '../../client/proof.ts';
import { ProvenSocket } from '../../client/proven-socket.ts';
import { PROOF } from '../../protocol/proof.ts';
import { ask, askChallenge } from './ask.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { pinnedTo } from './pinned-connection.ts';
import { isRunning, type GatewayAddress } from './gateway-address.ts';
import { printNote } from './notes.ts';

/** Time after which a command gives up on an unreachable gateway. */
const LOST_MS = 5 * 60_000;

export interface Gateway {
  readonly client: ExecClient;
  readonly online: Online;
  readonly address: GatewayAddress;
}

/** Connects, and disconnects after `work`. Throws CommandFailed when it cannot connect. */
export async function withGateway<T>(
  address: GatewayAddress,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  const gateway = await connect(address);
  try {
    return await work(gateway);
  } finally {
    gateway.client.connection.close();
  }
}

/** Returns a new socket that proves the token when it connects to the gateway. */
export const socketTo = (address: GatewayAddress): ProvenSocket =>
  new ProvenSocket({
    credential: () => tokenCredential(address.token),
    ask: (path) => askChallenge(address, path),
    dial: (proof) => {
      const pin = address.fingerprint();
      return new WebSocket(address.url, {
        headers: { authorization: `${PROOF.scheme} ${proof}` },
        perMessageDeflate: false,
        ...(pin !== null && { createConnection: pinnedTo(pin) }),
      });
    },
  });

async function connect(address: GatewayAddress): Promise<Gateway> {
  // A WebSocket does not return the reason for a refused proof, so the proof is checked over HTTP first.
  await checkProof(address);
  const client = createExecClient({
    clientName: 'exec-console',
    socket: () => socketTo(address),
    probe: () => checkProof(address).then(() => 'unreachable', failureOf),
  });
  client.connection.open();
  const state = await untilState(client.connection, ({ kind }) => /online|waiting|failed/.test(kind));
  if (state.kind === 'online') return { client, online: state, address };
  client.connection.close();
  throw new CommandFailed(
    ExitCode.noGateway,
    'reason' in state ? state.reason : 'the gateway did not answer',
  );
}

/** Resolves with the first state that passes `test`, possibly the current one. */
export function untilState(
  connection: Connection,
  test: (state: ConnectionState) => boolean,
): Promise<ConnectionState> {
  return new Promise((resolve) => {
    const check = (state: ConnectionState): void => {
      if (!test(state)) return;
      off();
      resolve(state);
    };
    const off = connection.onState(check);
    check(connection.state);
  });
}

async function checkProof(address: GatewayAddress): Promise<void> {
  const identity = (await ask(address, 'GET', '/auth/identity')) as { role?: unknown };
  if (identity.role === 'agent') {
    throw new CommandFailed(
      ExitCode.refused,
      'this token is for agents and gives no access to the console; use one for an observer, operator or admin',
    );
  }
}

const failureOf = (error: unknown): 'refused' | 'unreachable' =>
  error instanceof CommandFailed && error.exitCode === ExitCode.refused ? 'refused' : 'unreachable';

export interface CutListener {
  lost(reason: string): void;
  back(): void;
  /** Called when the connection will not be restored. */
  givenUp(error: CommandFailed): void;
}

const lostFor = (reason: string): CommandFailed =>
  new CommandFailed(
    ExitCode.connectionLost,
    `the connection was lost and cannot be restored: ${visible(reason)}`,
  );

/** Calls the listener when the connection is lost, restored or abandoned, until the returned function is called. */
export function listenToCuts(
  { client, address }: { readonly client: Pick<ExecClient, 'connection'>; readonly address: GatewayAddress },
  listener: CutListener,
): () => void {
  let lostTimer: NodeJS.Timeout | null = null;
  const giveUp = (why: string): void => listener.givenUp(new CommandFailed(ExitCode.connectionLost, why));
  const stopTimer = (): void => {
    if (lostTimer) clearTimeout(lostTimer);
    lostTimer = null;
  };
  const look = (state: ConnectionState): void => {
    if (state.kind === 'online' && lostTimer) {
      stopTimer();
      listener.back();
    }
    if (state.kind === 'failed') listener.givenUp(lostFor(state.reason));
    if (state.kind !== 'waiting') return;
    if (address.pid !== null && !isRunning(address.pid) && address.hasKeeper?.() !== true) {
      giveUp('the gateway and its processes have ended');
    } else if (!lostTimer) {
      lostTimer = setTimeout(
        () => giveUp('the gateway could not be reached for 5 minutes; giving up'),
        LOST_MS,
      );
      listener.lost(state.reason);
    }
  };
  const off = client.connection.onState(look);
  look(client.connection.state);
  return () => {
    off();
    stopTimer();
  };
}

/**
 * Runs `work`, which must be idempotent, and repeats it after a lost connection. Throws CommandFailed when
 * the connection is not restored.
 */
export async function retryAfterLoss<T>(gateway: Gateway, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectionLost || error instanceof NotOnline)) throw error;
      await untilBack(gateway);
    }
  }
}

async function untilBack(gateway: Gateway): Promise<void> {
  let stop = (): void => undefined;
  const given = new Promise<never>((_resolve, reject) => {
    stop = listenToCuts(gateway, {
      lost: (reason) => printNote(`the connection was lost (${reason}); reconnecting`),
      back: () => printNote('reconnected'),
      givenUp: reject,
    });
  });
  const back = untilState(gateway.client.connection, ({ kind }) => kind === 'online');
  await Promise.race([given, back]).finally(stop);
}
