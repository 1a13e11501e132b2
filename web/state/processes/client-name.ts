// Client name of the agent that started a process, also after the session has ended.
import type { ProcessInfo } from '../../../protocol/console.ts';

interface Sessions {
  readonly [label: string]: { readonly clientName: string } | undefined;
}

/** Returns the client name that the agent sent; null for people, and when it is empty or unknown. */
export const clientNameOf = (
  { session, clientName = null }: Pick<ProcessInfo, 'session' | 'clientName'>,
  sessions: Sessions,
): string | null => sessions[session]?.clientName || clientName || null;
