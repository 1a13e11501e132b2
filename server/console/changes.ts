// Collects changes for watchers of the whole console: starts, exits and control are sent soon, new output less often
// and in turn.
import type { ActivitySince, Person } from '../../protocol/activity.ts';
import type { Approval, ApprovalSettings } from '../../protocol/approvals.ts';
import type {
  ConsoleChanged,
  PrintedInfo,
  ProcessInfo,
  RecordingsRemoved,
  SessionInfo,
} from '../../protocol/console.ts';
import type { GatewayHealth } from '../../protocol/health.ts';
import { approvalRow, isRow } from './approval-row.ts';
import { Printed, type PrintedLimits } from './printed.ts';

/** Maximum number of removed recordings in one message, besides those that were open. */
const MOST_REMOVED = 1000;

export interface ChangesLimits extends PrintedLimits {
  readonly changedSoonMs: number;
}

export interface ChangesSource<P, S> {
  describeProcess(process: P): ProcessInfo;
  describePrinted(process: P): PrintedInfo;
  describeSession(session: S): SessionInfo;
  describeGateway(): GatewayHealth;
  describePeople(): readonly Person[];
  activitySince(change: number): ActivitySince;
  describeApprovalSettings(): ApprovalSettings | null;
}

export interface Watcher<P> {
  readonly send: (change: ConsoleChanged) => void;
  /**
   * Returns true for a watcher that gets, for processes with new output, only the members that output can change; other
   * watchers get whole objects.
   */
  readonly isBrief: () => boolean;
  /** Returns the processes in view; null while the page is hidden. */
  readonly inSight: () => Iterable<P> | null;
}

export interface Watching {
  /** Handles a change of the processes in view, and a page that is hidden or shown again. */
  readonly looked: () => void;
  readonly stop: () => void;
}

/**
 * Collects changes while there are watchers, and sends each changed object once per message, however often it
 * changed.
 */
export class Changes<P extends { readonly key: string }, S extends { readonly label: string }> {
  readonly #limits: ChangesLimits;
  readonly #source: ChangesSource<P, S>;
  readonly #watchers = new Set<Watcher<P>>();
  readonly #printed: Printed<P, Watcher<P>>;
  readonly #processes = new Set<P>();
  readonly #sessions = new Set<S>();
  #hasGatewayChanged = false;
  #havePeopleChanged = false;
  /** Number of the last change before the unsent activity; null when all is sent. */
  #activityAfter: number | null = null;
  #lastActivity = 0;
  /** Watchers that joined while activity was unsent → the last change that each of them already has. */
  readonly #begunWith = new Map<Watcher<P>, number>();
  readonly #approvals = new Map<string, Approval>();
  #haveApprovalSettingsChanged = false;
  readonly #removedKeys = new Set<string>();
  readonly #removedSessions = new Set<string>();
  /** Keys of removed recordings → who removed them. */
  readonly #removedRecordings = new Map<string, string>();
  #areMoreRemoved = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: ChangesLimits, source: ChangesSource<P, S>) {
    this.#limits = limits;
    this.#source = source;
    this.#printed = new Printed(limits, (turn) => this.#sendPrinted(turn));
  }

  watch(watcher: Watcher<P>): Watching {
    if (this.#activityAfter !== null) this.#begunWith.set(watcher, this.#lastActivity);
    this.#watchers.add(watcher);
    this.#printed.add(watcher);
    return {
      looked: () => this.#printed.looked(watcher),
      stop: () => {
        this.#watchers.delete(watcher);
        this.#begunWith.delete(watcher);
        this.#printed.delete(watcher);
        if (this.#watchers.size === 0) this.close();
      },
    };
  }

  processChanged(process: P, urgency: 'soon' | 'later'): void {
    if (urgency === 'soon') this.#note(() => this.#processes.add(process));
    // A process whose whole object is about to be sent needs no partial update.
    else if (this.#watchers.size > 0 && !this.#processes.has(process)) this.#printed.note(process);
  }

  gatewayChanged(): void {
    this.#note(() => (this.#hasGatewayChanged = true));
  }

  peopleChanged(): void {
    this.#note(() => (this.#havePeopleChanged = true));
  }

  /** Schedules sending of the new activity entry with the number `change`. */
  activityAdded(change: number): void {
    this.#lastActivity = change;
    this.#note(() => (this.#activityAfter ??= change - 1));
  }

  sessionChanged(session: S): void {
    this.#note(() => this.#sessions.add(session));
  }

  processRemoved(process: P): void {
    this.#processes.delete(process);
    this.#printed.settled(process);
    this.#note(() => this.#removedKeys.add(process.key));
  }

  sessionRemoved(session: S): void {
    this.#sessions.delete(session);
    this.#note(() => this.#removedSessions.add(session.label));
  }

  /** `isOpen`: true when a client may show the process, so that its removal is always listed. */
  recordingRemoved(key: string, { who, isOpen }: { readonly who: string; readonly isOpen: boolean }): void {
    this.#note(() => {
      if (isOpen || this.#removedRecordings.size < MOST_REMOVED) this.#removedRecordings.set(key, who);
      else this.#areMoreRemoved = true;
    });
  }

  approvalChanged(approval: Approval): void {
    this.#note(() => {
      this.#approvals.set(approval.id, approval);
      if (isRow(approval) && approval.state !== 'waiting') this.#removedKeys.add(approval.id);
    });
  }

  approvalSettingsChanged(): void {
    this.#note(() => (this.#haveApprovalSettingsChanged = true));
  }

  /** Sends the collected changes, except new output, at once, since the gateway may be about to end. */
  flush(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#sendChanges();
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#printed.close();
    this.#clear();
  }

  #note(add: () => void): void {
    // A new watcher gets a full snapshot, so nothing is collected without watchers.
    if (this.#watchers.size === 0) return;
    add();
    this.#timer ??= setTimeout(() => this.#sendChanges(), this.#limits.changedSoonMs);
  }

  /** Sends each watcher its processes of this turn; each description is built once for all watchers. */
  #sendPrinted(turn: ReadonlyMap<Watcher<P>, readonly P[]>): void {
    const printedInfo = madeOnce((process: P) => this.#source.describePrinted(process));
    const processInfo = madeOnce((process: P) => this.#source.describeProcess(process));
    for (const [{ send, isBrief }, printed] of turn) {
      if (printed.length === 0) continue;
      send(isBrief() ? { printed: printed.map(printedInfo) } : { processes: printed.map(processInfo) });
    }
  }

  #sendChanges(): void {
    this.#timer = null;
    const approvals = [...this.#approvals.values()];
    const rows = approvals.filter((each) => isRow(each) && each.state === 'waiting').map(approvalRow);
    const settings = this.#haveApprovalSettingsChanged ? this.#source.describeApprovalSettings() : null;
    const change: ConsoleChanged = {
      ...(approvals.length > 0 && { approvals }),
      ...(settings && { approvalSettings: settings }),
      ...(this.#hasGatewayChanged && { gateway: this.#source.describeGateway() }),
      ...(this.#havePeopleChanged && { people: this.#source.describePeople() }),
      ...(this.#activityAfter !== null && { activity: this.#source.activitySince(this.#activityAfter) }),
      ...(this.#sessions.size > 0 && {
        sessions: [...this.#sessions].map((session) => this.#source.describeSession(session)),
      }),
      ...(this.#processes.size + rows.length > 0 && {
        processes: [...[...this.#processes].map((process) => this.#source.describeProcess(process)), ...rows],
      }),
      ...(this.#removedKeys.size + this.#removedSessions.size > 0 && {
        removed: { keys: [...this.#removedKeys], sessions: [...this.#removedSessions] },
      }),
      ...(this.#removedRecordings.size > 0 && { recordingsRemoved: this.#recordingsRemoved }),
    };
    for (const process of this.#processes) this.#printed.settled(process);
    const begunWith = new Map(this.#begunWith);
    this.#clear();
    for (const watcher of this.#watchers) {
      const known = begunWith.get(watcher);
      watcher.send(known === undefined ? change : { ...change, activity: this.#source.activitySince(known) });
    }
  }

  get #recordingsRemoved(): RecordingsRemoved {
    const recordings = [...this.#removedRecordings].map(([key, who]) => ({ key, who }));
    return { recordings, isComplete: !this.#areMoreRemoved };
  }

  #clear(): void {
    this.#hasGatewayChanged = false;
    this.#havePeopleChanged = false;
    this.#activityAfter = null;
    this.#begunWith.clear();
    this.#processes.clear();
    this.#approvals.clear();
    this.#haveApprovalSettingsChanged = false;
    this.#sessions.clear();
    this.#removedKeys.clear();
    this.#removedSessions.clear();
    this.#removedRecordings.clear();
    this.#areMoreRemoved = false;
  }
}

function madeOnce<P, Info>(make: (process: P) => Info): (process: P) => Info {
  const made = new Map<P, Info>();
  return (process) => {
    const info = made.get(process) ?? make(process);
    made.set(process, info);
    return info;
  };
}
