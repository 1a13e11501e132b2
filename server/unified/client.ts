// A client of unified exec, and the state that it shares with other clients.
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { FindApproval } from './attention.ts';
import type { Finds } from './held.ts';
import type { Serve } from './line.ts';
import type { Lines } from './lines.ts';
import type { Notes } from './notes.ts';
import type { Sessions } from './sessions.ts';

/** One client: an agent with an MCP session. */
export interface UnifiedClient {
  /** Name of the agent, such as `claude-code`, shown to people. */
  readonly name: string;
  readonly version: string | null;
  /** Thread or session of the agent, for grouping; null when it sends none. */
  readonly thread: string | null;
  /** Thread that started this one; null when there is none. */
  readonly parentThread?: string | null;
  /** Address of the client for the audit log. */
  readonly from?: string;
}

export interface RoomOptions extends Finds {
  /** Notes for a later gateway; null when no gateway will read them. */
  readonly notes: Notes | null;
  /** Returns a new id for a session of an earlier gateway; null when the session has ended or is attached. */
  readonly reissue: (label: string) => string | null;
  /** Returns the process of a session by its id; undefined when the session has no such process, or it was removed. */
  readonly started: (label: string, processId: string) => ProcessView | undefined;
  readonly serve: Serve;
  readonly waitsForInput: (process: ProcessView) => boolean;
  readonly approval: FindApproval;
  /** Returns the policy for the commands of the agent with this name. */
  readonly policyOf: (agent: string) => ApprovalPolicy;
  /** Returns warnings about the services behind the agent with this name. */
  readonly outages: (agent: string) => readonly string[];
  /** True when the operator's minimum sandbox applies to all processes. */
  readonly hasFloor: boolean;
  /** Path of the user's shell. */
  readonly shell: string;
}

/** The part of the room that a client uses. */
export interface Room extends RoomOptions {
  readonly sessions: Sessions;
  readonly lines: Lines;
  /** Called when the client has connected again. */
  readonly entered: () => void;
  /** Called when the client has disconnected. */
  readonly left: () => void;
}
