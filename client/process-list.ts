// Processes, sessions, people and approvals as last sent by the gateway; subscribers are notified of every change.
import type { Person } from '../protocol/activity.ts';
import type { Approval, ApprovalSettings } from '../protocol/approvals.ts';
import { SOMEBODY } from '../protocol/console-constants.ts';
import type {
  ConsoleChanged,
  PrintedInfo,
  ProcessInfo,
  SessionInfo,
  WatchResult,
} from '../protocol/console.ts';

export class ProcessList {
  readonly #processes = new Map<string, ProcessInfo>();
  /** Keys of processes from history, which the gateway has not listed. */
  readonly #remembered = new Set<string>();
  readonly #sessions = new Map<string, SessionInfo>();
  #people: readonly Person[] = [];
  readonly #approvals = new Map<string, Approval>();
  #approvalSettings: ApprovalSettings | null = null;
  /** Number of the newest change received by this or an earlier client; null if there is none. */
  #change: number | null;
  #listeners: readonly ((change: ConsoleChanged) => void)[] = [];

  /** `sinceChange`: newest change that an earlier client received, if any. */
  constructor(sinceChange: number | null) {
    this.#change = sinceChange;
  }

  get change(): number | null {
    return this.#change;
  }

  get people(): readonly Person[] {
    return this.#people;
  }

  get approvals(): readonly Approval[] {
    return [...this.#approvals.values()];
  }

  get approvalSettings(): ApprovalSettings | null {
    return this.#approvalSettings;
  }

  get processes(): readonly ProcessInfo[] {
    return [...this.#processes.values()];
  }

  get sessions(): readonly SessionInfo[] {
    return [...this.#sessions.values()];
  }

  get(key: string): ProcessInfo | undefined {
    return this.#processes.get(key);
  }

  onChanged(listener: (change: ConsoleChanged) => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  /**
   * Adds a process that stays until this client ends, its recording is removed, or the gateway lists it and later
   * removes it; no effect if it is already in the list.
   */
  remember(info: ProcessInfo): void {
    if (this.#processes.has(info.key)) return;
    this.apply({ processes: [info] });
    this.#remembered.add(info.key);
  }

  /** Removes a process that `remember` has added, since its recording was removed while nobody was notified. */
  forget(key: string): void {
    if (!this.#remembered.has(key)) return;
    this.apply({ recordingsRemoved: { recordings: [{ key, who: SOMEBODY }], isComplete: true } });
  }

  /** Replaces the whole list; entries missing from the new one are removed, except processes from history. */
  replace({ processes, sessions, ...reported }: WatchResult): void {
    const keys = new Set([...processes.map(({ key }) => key), ...this.#remembered]);
    const labels = new Set(sessions.map(({ label }) => label));
    const removed = {
      keys: [...this.#processes.keys()].filter((key) => !keys.has(key)),
      sessions: [...this.#sessions.keys()].filter((label) => !labels.has(label)),
    };
    this.#approvals.clear();
    this.apply({ ...reported, processes, sessions, removed });
  }

  /**
   * Applies a change. Listeners receive whole objects. A process that `remember` has added is removed with its recording,
   * and by nothing else.
   */
  apply({ printed = [], removed, ...others }: ConsoleChanged): void {
    const listed = (removed?.keys ?? []).filter((key) => !this.#remembered.has(key));
    const past = (others.recordingsRemoved?.recordings ?? []).filter(({ key }) =>
      this.#remembered.delete(key),
    );
    const gone = { keys: [...listed, ...past.map(({ key }) => key)], sessions: removed?.sessions ?? [] };
    const reported: ConsoleChanged = removed || past.length > 0 ? { ...others, removed: gone } : others;
    for (const process of reported.processes ?? []) {
      this.#processes.set(process.key, process);
      this.#remembered.delete(process.key);
    }
    const whole = printed.flatMap((info) => this.#whole(info) ?? []);
    for (const process of whole) this.#processes.set(process.key, process);
    const change =
      whole.length === 0 ? reported : { ...reported, processes: [...(reported.processes ?? []), ...whole] };
    for (const approval of change.approvals ?? []) {
      if (approval.state === 'waiting') this.#approvals.set(approval.id, approval);
      else this.#approvals.delete(approval.id);
    }
    this.#approvalSettings = change.approvalSettings ?? this.#approvalSettings;
    this.#people = change.people ?? this.#people;
    this.#change = change.activity?.change ?? this.#change;
    for (const session of change.sessions ?? []) this.#sessions.set(session.label, session);
    for (const key of change.removed?.keys ?? []) this.#processes.delete(key);
    for (const label of change.removed?.sessions ?? []) this.#sessions.delete(label);
    for (const listener of this.#listeners) listener(change);
  }

  /** Returns the process with these members replaced; undefined if it is not in the list. */
  #whole(printed: PrintedInfo): ProcessInfo | undefined {
    const known = this.#processes.get(printed.key);
    return known && { ...known, ...printed };
  }
}
