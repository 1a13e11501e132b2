// A client's write to a process, of either dialect.
import type { Requests } from '../../protocol/methods.ts';
import { StdinFull } from '../host/stdin-queue.ts';
import type { Process } from '../keeper/process.ts';
import { internal } from '../rpc/rpc-error.ts';
import type { Peer } from './peer.ts';

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
