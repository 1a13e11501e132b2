// The methods by which a client works with its own session: the reference's, and ours by `processId`.
import type { Requests } from '../../protocol/methods.ts';
import { internal, RpcError, invalidRequest } from '../rpc/rpc-error.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { read, waitForEnd, whenNews } from '../keeper/read.ts';
import type { ChildSpec } from '../host/child.ts';
import type { Process } from '../keeper/process.ts';
import { StdinFull } from '../host/stdin-queue.ts';
import type { Peer } from './peer.ts';
import { shownMetadata } from './start.ts';

type Own<M extends keyof Requests> = Extract<Requests[M]['params'], { processId: string }>;

/** The methods addressed by `processId`, with the params they then have. */
export interface OwnMethods {
  read(params: Own<'process/read'>, peer: Peer): JsonText | Promise<JsonText>;
  write(
    params: Own<'process/write'>,
    peer: Peer,
  ): Requests['process/write']['result'] | Promise<Requests['process/write']['result']>;
  signal(params: Own<'process/signal'>, peer: Peer): Requests['process/signal']['result'];
  terminate(params: Own<'process/terminate'>, peer: Peer): Requests['process/terminate']['result'];
  resize(params: Own<'process/resize'>, peer: Peer): Requests['process/resize']['result'];
  closeStdin(params: Own<'process/closeStdin'>, peer: Peer): Requests['process/closeStdin']['result'];
  wait(params: Own<'process/wait'>, peer: Peer): Promise<Requests['process/wait']['result']>;
}

export const ownMethods: OwnMethods = {
  read(params, peer) {
    const process = known(params.processId, peer);
    return whenNews(process, params, peer.connection, () => {
      const { nextSeq, result } = read(process, params);
      peer.session.hasRead(params.processId, nextSeq - 1);
      return result;
    });
  },

  write(params, peer) {
    const process = peer.session.process(params.processId);
    if (!process) return { status: 'unknownProcess' };
    return write(process, params, peer);
  },

  signal(params, peer) {
    peer.session.process(params.processId)?.signal(params.signal, peer.identity.name);
    return {};
  },

  terminate(params, peer) {
    return peer.session.process(params.processId)?.killNow(peer.identity.name) ?? { running: false };
  },

  resize(params, peer) {
    resize(known(params.processId, peer), params);
    return {};
  },

  closeStdin(params, peer) {
    const process = peer.session.process(params.processId);
    return { status: process?.closeStdin(peer.identity.name) ?? 'unknownProcess' };
  },

  wait(params, peer) {
    const process = known(params.processId, peer);
    return waitForEnd(process, params.until ?? 'closed', params.waitMs, peer.connection);
  },
};

/** Starts a process of the peer's own session. */
export function startOwn(params: Requests['process/start']['params'], peer: Peer, spec: ChildSpec): Process {
  return peer.session.start(
    {
      processId: params.processId,
      startedBy: peer.identity.name,
      starter: peer.identity,
      metadata: shownMetadata(params.metadata),
      label: params.label ?? null,
      restartOf: null,
    },
    spec,
  );
}

type WriteResult = Requests['process/write']['result'];

export function write(
  process: Process,
  { writeId, chunk }: { readonly writeId: string; readonly chunk: string },
  { session, identity }: Peer,
): WriteResult | Promise<WriteResult> {
  const writer = { session: session.label, who: identity.name };
  try {
    const status = process.write(writer, writeId, Buffer.from(chunk, 'base64'));
    return typeof status === 'string' ? { status } : status.then((settled) => ({ status: settled }));
  } catch (error) {
    throw error instanceof StdinFull ? internal(error.message) : error;
  }
}

/** Sets a terminal's size, or says that there is none. */
export function resize(process: Process, { rows, cols }: { rows: number; cols: number }): void {
  if (!process.size) throw new RpcError(ErrorCode.noTty, `process ${process.processId} has no terminal`);
  process.resize({ rows, cols });
}

function known(processId: string, peer: Peer): Process {
  const process = peer.session.process(processId);
  if (!process) throw invalidRequest(`unknown process id ${processId}`);
  return process;
}
