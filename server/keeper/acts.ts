// Acts of people and clients on a process, for the audit log, and the one that ended the process.
import { constants } from 'node:os';
import type { Act, EndedBy, PlacedAct } from '../../protocol/console.ts';
import { isSignalName, SIGNALS } from '../../protocol/signals.ts';
import type { ChildExit } from '../host/child.ts';
import type { EventLog } from './event-log.ts';
import type { ActsSoFar, ProcessNotes } from './process-notes.ts';
import { typedSignal } from '../host/typed-signal.ts';

/** Limit of the acts that are kept; the oldest is evicted. */
const MOST_ACTS = 20;

const BY_GATEWAY: readonly Act['how'][] = ['sessionExpired', 'gatewayStopped'];
/** Acts after which the gateway makes sure that it ends. */
const ENDS: readonly Act['how'][] = ['terminate', 'kill', ...BY_GATEWAY];

export class Acts {
  readonly #log: Pick<EventLog, 'seal' | 'nextSeq' | 'exitedSeq'>;
  readonly #notes: ProcessNotes | null;
  #all: readonly PlacedAct[] = [];
  /** The newest act that may end it, and the newest after which the gateway makes sure that it ends. */
  #lastEnding: EndedBy | null = null;
  #terminatedBy: EndedBy | null = null;
  /** True when there was input since, or its input was closed. */
  #hasGoneOn = false;
  #endedBy: EndedBy | null = null;

  constructor(log: Pick<EventLog, 'seal' | 'nextSeq' | 'exitedSeq'>, notes: ProcessNotes | null = null) {
    this.#log = log;
    this.#notes = notes;
  }

  /** Takes what an earlier gateway has noted. */
  restore({ all, lastEnding, terminatedBy, hasGoneOn, endedBy }: ActsSoFar): void {
    this.#all = all;
    this.#lastEnding = lastEnding;
    this.#terminatedBy = terminatedBy;
    this.#hasGoneOn = hasGoneOn;
    this.#endedBy = endedBy;
  }

  /** The newest last. */
  get all(): readonly PlacedAct[] {
    return this.#all;
  }

  get endedBy(): EndedBy | null {
    return this.#endedBy;
  }

  record(who: string, how: Act['how'], atMs = Date.now()): void {
    const act = { who, how, atMs };
    this.#all = [...this.#all, { ...act, afterSeq: this.#newestOutputSeq() }].slice(-MOST_ACTS);
    if (how === 'closeStdin') this.#hasGoneOn = true;
    this.#mayEnd(act);
    this.#note();
  }

  /** Notes a typed key that a terminal turns into a signal as a possible end; the exit shows whether it was. */
  typed(who: string, bytes: Buffer): void {
    const how = typedSignal(bytes);
    if (how) this.#mayEnd({ who, how, atMs: Date.now() });
    else if (this.#hasGoneOn) return;
    else this.#hasGoneOn = true;
    // Before anything may have ended it, it makes no difference.
    if (this.#lastEnding) this.#note();
  }

  /**
   * Attributes the exit to the sender of the signal that ended it; or to a terminate, however it then chose to exit.
   */
  ended(exit: ChildExit, isTerminating: boolean): void {
    const last = this.#lastEnding;
    const by = this.#terminatedBy;
    if (last && diedOf(exit, last)) this.#endedBy = last;
    else if (by && (isTerminating || BY_GATEWAY.includes(by.how))) this.#endedBy = by;
    else if (last && !this.#hasGoneOn && saysDiedOf(exit, last)) this.#endedBy = last;
    if (this.#endedBy) this.#note();
  }

  #note(): void {
    this.#notes?.acted({
      all: this.#all,
      lastEnding: this.#lastEnding,
      terminatedBy: this.#terminatedBy,
      hasGoneOn: this.#hasGoneOn,
      endedBy: this.#endedBy,
    });
  }

  #mayEnd(act: Act): void {
    if (!isEnding(act)) return;
    this.#lastEnding = act;
    this.#hasGoneOn = false;
    if (ENDS.includes(act.how)) this.#terminatedBy = act;
  }

  /** Sealed, so that later output is another event. */
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
 * A shell, and a sandbox, tell by their own exit code the signal that their command died of; but so does a shell that is
 * left long after, if no other command has run in it.
 */
function saysDiedOf({ code }: ChildExit, act: EndedBy): boolean {
  const signal = signalOf(act);
  return signal !== null && code === 128 + constants.signals[signal];
}
