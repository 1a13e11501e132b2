// Interfaces of the parts of the gateway that the console uses.
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
  readonly descriptors: Budget;
  /** Returns the requests that wait for approval, with the settings; null when the gateway has no approvals. */
  readonly approvals: () => HeldRequests | null;
  /** Keeper of processes that outlive the gateway; null when processes end with the gateway. */
  readonly home: ProcessHome | null;
  /** Notes about sessions for a later gateway; null without a keeper. */
  readonly notes: SessionNotes | null;
  readonly forgotten: (key: string) => void;
  /** Called with the name of the person or agent that started a process. */
  readonly started?: (by: string) => void;
  /** History of recordings; null for a gateway without a history. */
  readonly history: {
    /**
     * Records a process, if recording is on for it; `describe` returns its current facts. `isContinued`: an earlier
     * gateway started it.
     */
    record(process: ProcessView, describe: () => ProcessInfo, isContinued?: boolean): void;
    /** Resolves when everything that the process has printed so far is recorded. */
    recorded(process: ProcessView): Promise<void>;
    /** Returns a process of an earlier gateway if its recording is open. */
    get(key: string): ProcessControl | undefined;
  } | null;
}

/** Replays past events of a process; `recorded` resolves when everything replayed so far is recorded. */
export type Replay = (recorded: () => Promise<void>) => Promise<void>;

/** Requests that wait for approval, and the approval settings, as watchers see them. */
export interface HeldRequests {
  readonly waiting: readonly Approval[];
  readonly settings: ApprovalSettings;
}
