// What people and clients did to a process, for the record, and which of it was the end of the process.
import { constants } from 'node:os';
import type { Act, EndedBy, PlacedAct } from '../../protocol/console.ts';
import type { ChildExit } from '../host/child.ts';
import type { EventLog } from './event-log.ts';
import { SIGNAL_OF, typedSignal } from '../host/signals.ts';

/** The oldest gives way. */
const MOST_ACTS = 20;

/** What programs die of; the rest stops one, lets it go on, or tells it something. */
const MAY_END: readonly Act['how'][] = ['interrupt', 'quit', 'hangup', 'terminate', 'kill'];
const BY_GATEWAY: readonly Act['how'][] = ['sessionExpired', 'gatewayStopped'];
/** After these it is seen to that it ends. */
const ENDS: readonly Act['how'][] = ['terminate', 'kill', ...BY_GATEWAY];

export class Acts {
  readonly #log: Pick<EventLog, 'seal' | 'nextSeq' | 'exitedSeq'>;
  #all: readonly PlacedAct[] = [];
  /** The newest that may end it, and the newest after which it is seen to that it does. */
  #lastEnding: EndedBy | null = null;
  #terminatedBy: EndedBy | null = null;
  /** Whether anything has been typed since, or its input closed. */
  #hasGoneOn = false;
  #endedBy: EndedBy | null = null;

  constructor(log: Pick<EventLog, 'seal' | 'nextSeq' | 'exitedSeq'>) {
    this.#log = log;
  }

  /** The newest last. */
  get all(): readonly PlacedAct[] {
    return this.#all;
  }

  get endedBy(): EndedBy | null {
    return this.#endedBy;
  }

  record(who: string, how: Act['how']): void {
    const act = { who, how, atMs: Date.now() };
    this.#all = [...this.#all, { ...act, afterSeq: this.#newestOutputSeq() }].slice(-MOST_ACTS);
    if (how === 'closeStdin') this.#hasGoneOn = true;
    this.#mayEnd(act);
  }

  /** Who types what a terminal makes a signal of may have ended it; whether it does, the end tells. */
  typed(who: string, bytes: Buffer): void {
    const how = typedSignal(bytes);
    if (how) this.#mayEnd({ who, how, atMs: Date.now() });
    else this.#hasGoneOn = true;
  }

  /** Whoever's signal it died of; or whoever terminated it, however it then chose to exit. */
  ended(exit: ChildExit, isTerminating: boolean): void {
    const last = this.#lastEnding;
    const by = this.#terminatedBy;
    if (last && diedOf(exit, last)) this.#endedBy = last;
    else if (by && (isTerminating || BY_GATEWAY.includes(by.how))) this.#endedBy = by;
    else if (last && !this.#hasGoneOn && saysDiedOf(exit, last)) this.#endedBy = last;
  }

  #mayEnd(act: Act): void {
    if (!isEnding(act)) return;
    this.#lastEnding = act;
    this.#hasGoneOn = false;
    if (ENDS.includes(act.how)) this.#terminatedBy = act;
  }

  /** What is printed from now on is another event. */
  #newestOutputSeq(): number {
    this.#log.seal();
    const newest = this.#log.nextSeq - 1;
    return newest === this.#log.exitedSeq ? newest - 1 : newest;
  }
}

function isEnding(act: Act): act is EndedBy {
  return MAY_END.includes(act.how) || BY_GATEWAY.includes(act.how);
}

function signalOf({ how }: EndedBy): NodeJS.Signals | null {
  return how === 'sessionExpired' || how === 'gatewayStopped' ? null : SIGNAL_OF[how];
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
