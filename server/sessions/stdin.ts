// A client's write to a process, of either dialect.
import type { Requests } from '../../protocol/methods.ts';
import { StdinFull } from '../host/stdin-queue.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { internal } from '../rpc/rpc-error.ts';
import type { Peer } from './peer.ts';

type WriteResult = Requests['process/write']['result'];
type Status = WriteResult['status'];

export function write(
  process: ProcessControl,
  { writeId, chunk }: { readonly writeId: string; readonly chunk: string },
  { session, identity }: Peer,
): WriteResult | Promise<WriteResult> {
  const writer = { session: session.label, who: identity.name };
  try {
    const status = process.write(writer, writeId, Buffer.from(chunk, 'base64'));
    return withStatus(typeof status === 'string' ? status : status.catch(refused));
  } catch (error) {
    return refused(error);
  }
}

export const withStatus = (status: Status | Promise<Status>): WriteResult | Promise<WriteResult> =>
  typeof status === 'string' ? { status } : status.then((settled) => ({ status: settled }));

function refused(error: unknown): never {
  throw error instanceof StdinFull ? internal(error.message) : error;
}
