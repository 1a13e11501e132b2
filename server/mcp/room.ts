// Interface to unified exec as used by MCP.
import type { UnifiedRoom } from '../unified/room.ts';
import type { UnifiedExec } from '../unified/unified-exec.ts';

export type Exec = Pick<
  UnifiedExec,
  'execCommand' | 'writeStdin' | 'listSessions' | 'readOutput' | 'terminate' | 'ask' | 'close' | 'reopen'
>;

export interface Room {
  enter(...client: Parameters<UnifiedRoom['enter']>): Exec;
  /** Returns the tools for a client of an earlier gateway; the sessions of that client continue immediately. */
  comeBack(...client: Parameters<UnifiedRoom['enter']>): Exec;
}
