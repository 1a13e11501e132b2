// Requests a decision about one of the agent's own tools, on a separate connection; closing it withdraws the
// request.
import type { AskResult } from '../../protocol/approvals.ts';
import { Cut, Refused, type Line } from './line.ts';

/** Resolves with null when the wait ends before a decision; rejects when the gateway refuses the request. */
export async function asked(line: Line, params: object, signal: AbortSignal): Promise<AskResult | null> {
  if (signal.aborted) return null;
  const user = {};
  line.use(user);
  const leave = (): void => line.leave(user);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return (await line.request('approvals/ask', params)) as AskResult;
  } catch (error) {
    if (error instanceof Cut) return null;
    if (error instanceof Refused) throw new Error(error.message, { cause: error });
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}
