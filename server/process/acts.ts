// What people and clients did to a process, for the record, and which of it was the end of the process.
import { constants } from 'node:os';
import type { Act, EndedBy, PlacedAct } from '../protocol/console.ts';
import type { ChildExit } from './child.ts';
import type { EventLog } from './event-log.ts';
import { SIGNAL_OF, typedSignal } from './signals.ts';

/** The oldest gives way. */
const MOST_ACTS = 20;

export class Acts {
  readonly #log: Pick<EventLog, 'seal' | 'nextSeq' | 'exitedSeq'>;
  #all: readonly PlacedAct[] = [];
  #last: Act | null = null;
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
    this.#last = { who, how, atMs: Date.now() };
    this.#all = [...this.#all, { ...this.#last, afterSeq: this.#newestOutputSeq() }].slice(-MOST_ACTS);
  }

  /** Who types what a terminal makes a signal of may have ended it; whether it does, the end tells. */
  typed(who: string, bytes: Buffer): void {
    const how = typedSignal(bytes);
    if (how) this.#last = { who, how, atMs: Date.now() };
  }

  /** Whoever's signal it died of; or whoever terminated it, however it then chose to exit. */
  ended(exit: ChildExit, isTerminating: boolean): void {
    const act = this.#last;
    if (!act || !canEnd(act)) return;
    const isByGateway = act.how === 'sessionExpired' || act.how === 'gatewayStopped';
    if (isTerminating || isByGateway || diedOf(exit, SIGNAL_OF[act.how])) this.#endedBy = act;
  }

  /** What is printed from now on is another event. */
  #newestOutputSeq(): number {
    this.#log.seal();
    const newest = this.#log.nextSeq - 1;
    return newest === this.#log.exitedSeq ? newest - 1 : newest;
  }
}

function canEnd(act: Act): act is EndedBy {
  return act.how !== 'closeStdin' && act.how !== 'restart';
}

/** A shell, and a sandbox, tell the signal that their command died of by their own exit code. */
function diedOf(exit: ChildExit, signal: NodeJS.Signals): boolean {
  return exit.signal === signal || exit.code === 128 + constants.signals[signal];
}
