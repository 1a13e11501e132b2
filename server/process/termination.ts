// The ladder of a terminate: SIGTERM to the whole OS session, after the grace SIGKILL, until nothing is left.
import { type OsProcess, sessionMembers, signalProcess } from './os-session.ts';

export interface TerminationState {
  readonly terminatingSinceMs: number;
  /** When SIGTERM gives way to SIGKILL. */
  readonly killAtMs: number;
  readonly survivors: readonly { readonly pid: number; readonly name: string }[];
}

const POLL_MS = 100;

export class Termination {
  readonly #leader: number;
  readonly #changed: () => void;
  #state: TerminationState | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Of an exited leader: those that were there at its exit; only they and their descendants may be signalled. */
  #heirs: Map<number, number> | null = null;

  constructor(leader: number, changed: () => void) {
    this.#leader = leader;
    this.#changed = changed;
  }

  get state(): TerminationState | null {
    return this.#state;
  }

  start(graceMs: number): { running: boolean } {
    const members = this.#members();
    if (members.length === 0) return { running: false };
    const now = Date.now();
    const isNew = this.#state === null;
    const killAtMs = Math.min(this.#state?.killAtMs ?? Infinity, now + graceMs);
    this.#state = {
      terminatingSinceMs: this.#state?.terminatingSinceMs ?? now,
      killAtMs,
      survivors: shown(members),
    };
    if (isNew && graceMs > 0) {
      for (const member of members) {
        signalProcess(member, 'SIGTERM');
        signalProcess(member, 'SIGCONT');
      }
    }
    this.#step();
    return { running: true };
  }

  /** The pid may be somebody else's from now on. */
  leaderExited(): void {
    this.#heirs = new Map(sessionMembers(this.#leader).map(({ pid, startTime }) => [pid, startTime]));
  }

  dispose(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #step(): void {
    this.dispose();
    if (!this.#state) return;
    const members = this.#members();
    const leftMs = this.#state.killAtMs - Date.now();
    if (members.length > 0 && leftMs <= 0) for (const member of members) signalProcess(member, 'SIGKILL');
    this.#state = members.length > 0 ? { ...this.#state, survivors: shown(members) } : null;
    this.#changed();
    if (this.#state)
      this.#timer = setTimeout(() => this.#step(), leftMs > 0 ? Math.min(leftMs, POLL_MS) : POLL_MS);
  }

  #members(): OsProcess[] {
    const members = sessionMembers(this.#leader);
    const heirs = this.#heirs;
    if (!heirs) return members;
    const isHeir = (each: OsProcess): boolean =>
      heirs.get(each.pid) === each.startTime || heirs.has(each.parent);
    const mine = members.filter(isHeir);
    for (const each of mine) heirs.set(each.pid, each.startTime);
    return mine;
  }
}

const shown = (members: OsProcess[]): TerminationState['survivors'] =>
  members.map(({ pid, name }) => ({ pid, name }));
