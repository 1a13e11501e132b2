// The acts of people and clients on one process, above all those that end it.
import type { Act } from '../../protocol/console.ts';
import { SIGNALS, type SignalName } from '../../protocol/signals.ts';
import type { Child, ChildExit } from '../host/child.ts';
import { interruptTarget } from '../host/os-session.ts';
import { Termination } from '../host/termination.ts';
import { Acts } from './acts.ts';
import type { EventLog } from './event-log.ts';
import type { PastNotes, ProcessNotes } from './process-notes.ts';

interface Running {
  readonly running: boolean;
}

export class Ending {
  readonly acts: Acts;
  readonly termination: Termination;
  readonly #child: Child;
  readonly #log: EventLog;
  readonly #changed: () => void;
  #hasExited = false;
  #isLost = false;

  /** `changed` is called after every act; `notes` are for a later gateway. */
  constructor(child: Child, log: EventLog, changed: () => void, notes: ProcessNotes | null) {
    this.#child = child;
    this.#log = log;
    this.#changed = changed;
    this.acts = new Acts(log, notes);
    this.termination = new Termination(child, changed);
  }

  act(who: string, how: Act['how']): void {
    this.#record(who, how);
    this.#changed();
  }

  signal(name: SignalName, who: string): void {
    if (this.#hasExited || this.#isLost) return;
    const { pid, tty } = this.#child;
    const isKey = name === 'interrupt' || name === 'quit' || name === 'suspend';
    const target = isKey && tty ? interruptTarget(pid) : pid;
    // The kernel discards a SIGTSTP to a group without a shell that could continue it, as a session's leader has none.
    this.#child.signalGroup(target, name === 'suspend' && target === pid ? 'SIGSTOP' : SIGNALS[name].osName);
    this.act(who, name);
  }

  /** Notes typed bytes that may end it. */
  typed(who: string, bytes: Buffer): void {
    // A process that is being terminated is not ended by a key.
    if (this.#child.tty && this.termination.state === null) this.acts.typed(who, bytes);
  }

  killNow(who: string, how: Act['how']): Running {
    if (this.#log.closedSeq !== null || this.#isLost) return { running: false };
    const result = this.#hasExited ? this.termination.start(0) : { running: true };
    // An exited process may have no children left to kill, although its output is held open.
    if (result.running) this.#record(who, how);
    if (!this.#hasExited) this.#child.signalGroup(this.#child.pid, 'SIGKILL');
    return result;
  }

  terminate(graceMs: number, who: string, how: Act['how'], isEscapedToo: boolean): Running {
    if (this.#isLost) return { running: false };
    const result = this.termination.start(graceMs, isEscapedToo);
    if (result.running) this.#record(who, graceMs === 0 && how === 'terminate' ? 'kill' : how);
    const { inProgress } = this.termination;
    if (inProgress) this.#child.noteTerminating?.(inProgress);
    this.#changed();
    return result;
  }

  /** Goes on where earlier gateways were; `how` the keeper ends it when none comes back. */
  restore({ acts, terminating, ranOutAtMs }: PastNotes, how: Act['how']): void {
    if (acts) this.acts.restore(acts);
    const isNoted = this.acts.all.some((act) => act.how === how && act.atMs === ranOutAtMs);
    if (ranOutAtMs !== null && !isNoted) this.acts.record('gateway', how, ranOutAtMs);
    if (terminating) this.termination.goOn(terminating);
  }

  /** Call it when it has been reaped; with the time when that was a while ago. */
  exited(exit: ChildExit, atMs?: number): void {
    if (atMs === undefined) this.acts.ended(exit, this.termination.state !== null);
    this.#hasExited = true;
    this.termination.leaderExited(atMs);
  }

  /** It cannot be reached any more. */
  lost(): void {
    this.#isLost = true;
    this.termination.dispose();
  }

  /** Output read so far is flushed first, so that the act's position is right. */
  #record(who: string, how: Act['how']): void {
    this.#child.catchUp();
    this.acts.record(who, how);
  }
}
