// Records the acts of people and clients on a process, for the audit log and to attribute the end of the process.
import { constants } from 'node:os';
import type { Act, EndedBy, PlacedAct } from '../../protocol/console.ts';
import { isSignalName, SIGNALS } from '../../protocol/signals.ts';
import type { ChildExit } from '../host/child.ts';
import type { EventLog } from './event-log.ts';
import type { ActsSoFar, ProcessNotes } from './process-notes.ts';
import { typedSignal } from '../host/typed-signal.ts';

/** Maximum number of acts per process. The oldest is evicted. */
const MOST_ACTS = 20;

const BY_GATEWAY: readonly Act['how'][] = ['sessionExpired', 'gatewayStopped'];
/** Acts after which the gateway makes sure that the process ends. */
const ENDS: readonly Act['how'][] = ['terminate', 'kill', ...BY_GATEWAY];

export class Acts {
  readonly #log: Pick<EventLog, 'seal' | 'nextSeq' | 'exitedSeq'>;
  readonly #notes: ProcessNotes | null;
  #all: readonly PlacedAct[] = [];
  /** Newest act that may end the process, and newest act of `ENDS`. */
  #lastEnding: EndedBy | null = null;
  #terminatedBy: EndedBy | null = null;
  /** True when more was typed into the terminal, or stdin was closed, after `#lastEnding`. */
  #hasContinued = false;
  #endedBy: EndedBy | null = null;

  constructor(log: Pick<EventLog, 'seal' | 'nextSeq' | 'exitedSeq'>, notes: ProcessNotes | null = null) {
    this.#log = log;
    this.#notes = notes;
  }

  restore({ all, lastEnding, terminatedBy, hasGoneOn, endedBy }: ActsSoFar): void {
    this.#all = all;
    this.#lastEnding = lastEnding;
    this.#terminatedBy = terminatedBy;
    this.#hasContinued = hasGoneOn;
    this.#endedBy = endedBy;
  }

  /** Acts in order, the newest last. */
  get all(): readonly PlacedAct[] {
    return this.#all;
  }

  get endedBy(): EndedBy | null {
    return this.#endedBy;
  }

  record(who: string, how: Act['how'], atMs = Date.now()): void {
    const act = { who, how, atMs };
    this.#all = [...this.#all, { ...act, afterSeq: this.#newestOutputSeq() }].slice(-MOST_ACTS);
    if (how === 'closeStdin') this.#hasContinued = true;
    this.#mayEnd(act);
    this.#note();
  }

  /**
   * Notes typed input. A key that a terminal turns into a signal may be the cause of the end; other input shows that
   * the process continued after an earlier act.
   */
  typed(who: string, bytes: Buffer): void {
    const how = typedSignal(bytes);
    if (how) this.#mayEnd({ who, how, atMs: Date.now() });
    else if (this.#hasContinued) return;
    else this.#hasContinued = true;
    // Input matters only after an act that may end the process.
    if (this.#lastEnding) this.#note();
  }

  /**
   * Attributes the exit to the sender of the signal that ended the process; else, whatever the exit code, to the
   * requester of the termination in progress, or to the gateway if it ended the process; else, unless input followed,
   * to the sender of a signal that the exit code reports.
   */
  ended(exit: ChildExit, isTerminating: boolean): void {
    const last = this.#lastEnding;
    const by = this.#terminatedBy;
    if (last && diedOf(exit, last)) this.#endedBy = last;
    else if (by && (isTerminating || BY_GATEWAY.includes(by.how))) this.#endedBy = by;
    else if (last && !this.#hasContinued && reportsSignalOf(exit, last)) this.#endedBy = last;
    if (this.#endedBy) this.#note();
  }

  #note(): void {
    this.#notes?.acted({
      all: this.#all,
      lastEnding: this.#lastEnding,
      terminatedBy: this.#terminatedBy,
      hasGoneOn: this.#hasContinued,
      endedBy: this.#endedBy,
    });
  }

  #mayEnd(act: Act): void {
    if (!isEnding(act)) return;
    this.#lastEnding = act;
    this.#hasContinued = false;
    if (ENDS.includes(act.how)) this.#terminatedBy = act;
  }

  /** Returns the seq of the newest output; seals it first, so that output after the act is a separate event. */
  #newestOutputSeq(): number {
    this.#log.seal();
    const newest = this.#log.nextSeq - 1;
    return newest === this.#log.exitedSeq ? newest - 1 : newest;
  }
}

function isEnding(act: Act): act is EndedBy {
  return (isSignalName(act.how) && SIGNALS[act.how].mayEnd) || BY_GATEWAY.includes(act.how);
}

function signalOf({ how }: EndedBy): NodeJS.Signals | null {
  return how === 'sessionExpired' || how === 'gatewayStopped' ? null : SIGNALS[how].osName;
}

function diedOf({ signal }: ChildExit, act: EndedBy): boolean {
  return signal !== null && signal === signalOf(act);
}

/**
 * Returns true when the exit code reports the signal of the act. Shells and sandboxes report their command's signal
 * as code 128 + n; so does a shell that exits later without having run another command.
 */
function reportsSignalOf({ code }: ChildExit, act: EndedBy): boolean {
  const signal = signalOf(act);
  return signal !== null && code === 128 + constants.signals[signal];
}
