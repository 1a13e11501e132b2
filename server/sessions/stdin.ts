// Results of a write to a process, or of closing its stdin, in either dialect.
import type { Requests } from '../../protocol/methods.ts';
import { StdinFull } from '../keeper/process-view.ts';
import { internal } from '../rpc/rpc-error.ts';

type WriteResult = Requests['process/write']['result'];
type Status = WriteResult['status'];

export const statusResult = (status: Status | Promise<Status>): WriteResult | Promise<WriteResult> =>
  typeof status === 'string' ? { status } : status.then((settled) => ({ status: settled }), notWritten);

/** Throws the error that is returned for a failed write. */
export function notWritten(error: unknown): never {
  throw error instanceof StdinFull ? internal(error.message) : error;
}
