// The name of the agent that started a process, also after its session has ended.
import type { ProcessInfo } from '../../../protocol/console.ts';

interface Sessions {
  readonly [label: string]: { readonly clientName: string } | undefined;
}

/** Returns the name with which the client introduced itself; null for people, or if unknown. */
export const clientNameOf = (
  { session, clientName = null }: Pick<ProcessInfo, 'session' | 'clientName'>,
  sessions: Sessions,
): string | null => sessions[session]?.clientName || clientName || null;
