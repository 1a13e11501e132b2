// The parts of the gateway that the console works with.
import type { Approval, ApprovalSettings } from '../../protocol/approvals.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { ProcessHome } from '../keeper/process-home.ts';
import type { ProcessControl, ProcessView } from '../keeper/process-view.ts';
import type { Budget } from '../limits/budget.ts';
import type { Health } from '../ops/health.ts';
import type { Log } from '../ops/log.ts';
import type { SessionNotes } from '../sessions/registry.ts';

export interface ConsoleParts {
  readonly health: Health;
  readonly log: Log;
  /** Descriptors of the gateway's process. */
  readonly descriptors: Budget;
  /** Requests that are waiting for a person; null without approvals. */
  readonly approvals: () => HeldRequests | null;
  /** The home of processes that outlive the gateway; null for this program. */
  readonly home: ProcessHome | null;
  /** Notes on sessions for a later gateway; null where there will be none. */
  readonly notes: SessionNotes | null;
  /** Called when a process is forgotten. */
  readonly forgotten: (key: string) => void;
  /** Called with the name of whoever has started a process. */
  readonly started?: (by: string) => void;
  /** Null where nothing is recorded. */
  readonly history: {
    /** Records a process; `describe` returns its facts as they are then. `isContinued`: it ran before this gateway. */
    record(process: ProcessView, describe: () => ProcessInfo, isContinued?: boolean): void;
    /** A process of an earlier gateway that is open. */
    get(key: string): ProcessControl | undefined;
  } | null;
}

/** Requests that wait for people, as watchers see them. */
export interface HeldRequests {
  readonly waiting: readonly Approval[];
  readonly settings: ApprovalSettings;
}
