// A client of unified exec, and what it shares with the others.
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { FindApproval } from './attention.ts';
import type { Finds } from './held.ts';
import type { Serve } from './line.ts';
import type { Lines } from './lines.ts';
import type { Notes } from './notes.ts';
import type { Sessions } from './sessions.ts';

/** One client, as an MCP session: an agent and one of its threads. */
export interface UnifiedClient {
  /** Name of the agent, as `claude-code`; shown to people. */
  readonly name: string;
  readonly version: string | null;
  /** Thread or session of the agent, for grouping; null when it has told none. */
  readonly thread: string | null;
  /** Thread that started this one; null when there is none. */
  readonly parentThread?: string | null;
  /** Address of the client, for the audit. */
  readonly from?: string;
}

export interface RoomOptions extends Finds {
  /** Notes for a later gateway; null where there will be none. */
  readonly notes: Notes | null;
  /** A new id for the session with this label, which an earlier gateway has left; null when it is over. */
  readonly reissue: (label: string) => string | null;
  /** The process of this session with this id; undefined when there is none, or it is forgotten. */
  readonly started: (label: string, processId: string) => ProcessView | undefined;
  readonly serve: Serve;
  readonly waitsForInput: (process: ProcessView) => boolean;
  readonly approval: FindApproval;
  /** The policy for the commands of the agent with this name. */
  readonly policyOf: (agent: string) => ApprovalPolicy;
  /** Warnings about the services behind the agent with this name. */
  readonly outages: (agent: string) => readonly string[];
  /** True when everything that is started here is in the operator's sandbox. */
  readonly hasFloor: boolean;
  /** Path of the user's shell. */
  readonly shell: string;
}

/** The part of the room that a client uses. */
export interface Room extends RoomOptions {
  readonly sessions: Sessions;
  readonly lines: Lines;
  /** Called when the client is gone. */
  readonly left: () => void;
}
