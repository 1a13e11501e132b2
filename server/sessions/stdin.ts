// The answer to a client's write to a process, or to the end of its input, of either dialect.
import type { Requests } from '../../protocol/methods.ts';
import { StdinFull } from '../keeper/process-view.ts';
import { internal } from '../rpc/rpc-error.ts';

type WriteResult = Requests['process/write']['result'];
type Status = WriteResult['status'];

export const statusResult = (status: Status | Promise<Status>): WriteResult | Promise<WriteResult> =>
  typeof status === 'string' ? { status } : status.then((settled) => ({ status: settled }), notWritten);

/** Throws what a client is told of a write that failed. */
export function notWritten(error: unknown): never {
  throw error instanceof StdinFull ? internal(error.message) : error;
}
