// Signals, terminations and other acts of people and clients on one process.
import type { Act } from '../../protocol/console.ts';
import { SIGNALS, type SignalName } from '../../protocol/signals.ts';
import type { Child, ChildExit } from '../host/child.ts';
import { isAlive, type OsProcess } from '../host/os-process.ts';
import { interruptTarget, signalGroup } from '../host/os-session.ts';
import { survivorOf, watchSurvivor } from '../host/survivor.ts';
import { Termination } from '../host/termination.ts';
import { Acts } from './acts.ts';
import type { PastStep } from './begun.ts';
import type { EventLog } from './event-log.ts';
import type { PastNotes, ProcessNotes } from './process-notes.ts';

type PastExit = Extract<PastStep, { readonly kind: 'exited' }>;

interface Running {
  readonly running: boolean;
}

export class Ending {
  readonly acts: Acts;
  readonly termination: Termination;
  readonly #child: Child;
  readonly #log: EventLog;
  readonly #changed: () => void;
  readonly #isConsole: boolean;
  #hasExited = false;
  #isLost = false;
  /** The program itself, when it survived its keeper. */
  #survivor: OsProcess | null = null;

  /** `changed` is called after acts and changes of the termination; `notes` saves acts for a later gateway. */
  constructor(
    child: Child,
    log: EventLog,
    changed: () => void,
    { isConsole, notes }: { readonly isConsole: boolean; readonly notes: ProcessNotes | null },
  ) {
    this.#isConsole = isConsole;
    this.#child = child;
    this.#log = log;
    this.#changed = changed;
    this.acts = new Acts(log, notes);
    this.termination = new Termination(child, () => {
      const { newest } = this.termination;
      if (newest) child.noteTerminating?.(newest);
      changed();
    });
  }

  act(who: string, how: Act['how']): void {
    this.#record(who, how);
    this.#changed();
  }

  /** True while the program is known to be running although its keeper cannot be reached. */
  get isStillRunning(): boolean {
    return this.#survivor !== null;
  }

  signal(name: SignalName, who: string): void {
    if (this.#survivor) {
      if (!isAlive(this.#survivor)) return;
      signalGroup(this.#survivor.pid, SIGNALS[name].osName);
      this.act(who, name);
      return;
    }
    if (this.#hasExited || this.#isLost) return;
    const { pid, tty } = this.#child;
    const isKey = name === 'interrupt' || name === 'quit' || name === 'suspend';
    const target = isKey && tty ? interruptTarget(pid) : pid;
    // The kernel discards SIGTSTP for an orphaned process group, as that of a session leader is, so SIGSTOP is sent
    // instead.
    this.#child.signalGroup(target, name === 'suspend' && target === pid ? 'SIGSTOP' : SIGNALS[name].osName);
    this.act(who, name);
  }

  /** Notes input typed into a terminal, since a typed key may end the process. */
  typed(who: string, bytes: Buffer): void {
    // An exit during a termination is attributed to the termination, not to a key.
    if (this.#child.tty && this.termination.state === null) this.acts.typed(who, bytes);
  }

  killNow(who: string, how: Act['how']): Running {
    if (this.#log.closedSeq !== null || this.#cannotEnd) return { running: false };
    const result = this.#hasExited || this.#survivor ? this.termination.start(0) : { running: true };
    // An exited process may have no other processes left to kill, although its output is held open.
    if (result.running) this.act(who, how);
    if (!this.#hasExited && !this.#survivor) this.#child.signalGroup(this.#child.pid, 'SIGKILL');
    return result;
  }

  terminate(graceMs: number, who: string, how: Act['how'], isEscapedToo: boolean): Running {
    if (this.#cannotEnd) return { running: false };
    const result = this.termination.start(graceMs, isEscapedToo);
    if (result.running) this.#record(who, graceMs === 0 && how === 'terminate' ? 'kill' : how);
    this.#changed();
    return result;
  }

  restore({ acts, terminating, exitedAtMs, ranOutAtMs }: PastNotes): void {
    if (acts) this.acts.restore(acts);
    this.#ranOut(ranOutAtMs);
    if (exitedAtMs !== null) this.termination.leaderExited(exitedAtMs);
    if (terminating) this.termination.goOn(terminating);
  }

  /** Handles the child's exit. `atMs`: time of the exit, if it was before this call. */
  exited(exit: ChildExit, atMs?: number): void {
    // A termination is complete only when the leader is reaped, so the exit belongs to the newest one.
    this.acts.ended(exit, this.termination.newest !== null);
    this.#afterExit(atMs);
  }

  /** Handles an exit before this gateway started. */
  replayExit({ exit, unhandled, atMs }: PastExit): void {
    if (unhandled) {
      this.#ranOut(unhandled.ranOutAtMs);
      // A noted termination was still in progress at the exit, since the keeper had continued it.
      this.acts.ended(exit, true);
    }
    this.#afterExit(atMs);
  }

  #afterExit(atMs?: number): void {
    this.#hasExited = true;
    this.termination.leaderExited(atMs);
  }

  /** Records, once, that the keeper started a termination by itself at `atMs`; null: it did not. */
  #ranOut(atMs: number | null): void {
    const how = this.#isConsole ? 'gatewayStopped' : 'sessionExpired';
    const isNoted = this.acts.all.some((act) => act.how === how && act.atMs === atMs);
    if (atMs !== null && !isNoted) this.acts.record('gateway', how, atMs);
  }

  /**
   * Handles the loss of the keeper; `exited` is called with the exit of a program that survived it, if the kernel
   * reports one.
   */
  lost(exited: (exit: ChildExit) => void): void {
    this.#isLost = true;
    this.termination.dispose();
    const { pid, lineage } = this.#child;
    this.#survivor = this.#hasExited ? null : survivorOf({ pid, startedAt: lineage.startedAt });
    if (!this.#survivor) return;
    watchSurvivor(this.#survivor, (exit) => {
      this.#survivor = null;
      if (exit) exited(exit);
      else this.termination.leaderExited();
      this.#changed();
    });
  }

  get #cannotEnd(): boolean {
    return this.#isLost && !this.#survivor;
  }

  /** Flushes the output read so far first, so that the act's position in the log is right. */
  #record(who: string, how: Act['how']): void {
    this.#child.catchUp();
    this.acts.record(who, how);
  }
}
