// The shared turn of all watchers; its cost is bounded, whatever their number and the amount of output.
import type { ProcessView } from '../keeper/process-view.ts';
import type { Attachment, Built } from './attachment.ts';
import { LoopLoad } from './loop-load.ts';

export interface WatchersLimits {
  /** Minimum interval between turns. */
  readonly watchersTurnMs: number;
  /** Maximum share of time for turns (0 to 1). */
  readonly watchersShare: number;
  /** Maximum share while the event loop has no idle time. */
  readonly watchersShareWhenBusy: number;
}

/**
 * Maximum time from the start of a turn to the next one, unless the turn itself takes longer. A turn that calls for
 * more was probably interrupted by the system, so its duration is not its cost.
 */
const LONGEST_REST_MS = 100;

/** Watchers of one process; they share a subscription, so that each change of its log is handled once for all. */
interface Watched {
  readonly attachments: Set<Attachment>;
  readonly unsubscribe: () => void;
}

/**
 * Each round sends ready watchers their next step, while there is time; a message is built once for all at the same
 * position. After a quiet period, a turn begins at once, so that typed input is echoed without delay.
 */
export class WatchersTurn {
  readonly #limits: WatchersLimits;
  readonly #load: Pick<LoopLoad, 'isBusy'>;
  readonly #watched = new Map<ProcessView, Watched>();
  readonly #changed = new Set<Watched>();
  #ready = new Set<Attachment>();
  /** Attachments whose connection's window has opened again. */
  #opened = new Set<Attachment>();
  #timer: NodeJS.Timeout | null = null;
  #timerAtMs = 0;
  #immediate: NodeJS.Immediate | null = null;
  /** Earliest time of the next turn for all watchers. */
  #notBefore = 0;
  /** Earliest time of any turn; until then, other work has the event loop. */
  #restsUntilMs = 0;

  constructor(limits: WatchersLimits, load: Pick<LoopLoad, 'isBusy'> = new LoopLoad()) {
    this.#limits = limits;
    this.#load = load;
  }

  /** Decoded bytes that attachments have skipped since the start. */
  missedBytes = 0;

  join(attachment: Attachment): void {
    const watched = this.#watched.get(attachment.process) ?? this.#watch(attachment.process);
    watched.attachments.add(attachment);
    this.ready(attachment);
  }

  leave(attachment: Attachment): void {
    this.#ready.delete(attachment);
    this.#opened.delete(attachment);
    const watched = this.#watched.get(attachment.process);
    if (!watched) return;
    watched.attachments.delete(attachment);
    if (watched.attachments.size > 0) return;
    watched.unsubscribe();
    this.#changed.delete(watched);
    this.#watched.delete(attachment.process);
  }

  /** Queues an attachment that may be able to continue: it has credit again, or its socket has room. */
  ready(attachment: Attachment): void {
    this.#ready.add(attachment);
    this.#schedule();
  }

  /**
   * Queues an attachment whose window has opened, for a separate turn: with only one chunk per shared turn, the
   * connection of a slow peer would mostly be idle.
   */
  opened(attachment: Attachment): void {
    this.#opened.add(attachment);
    this.#schedule();
  }

  close(): void {
    for (const { unsubscribe } of this.#watched.values()) unsubscribe();
    this.#watched.clear();
    this.#changed.clear();
    this.#ready.clear();
    this.#opened.clear();
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#immediate) clearImmediate(this.#immediate);
  }

  #watch(process: ProcessView): Watched {
    const unsubscribe = process.log.onChange(() => {
      this.#changed.add(watched);
      this.#schedule();
    });
    const watched: Watched = { attachments: new Set(), unsubscribe };
    this.#watched.set(process, watched);
    return watched;
  }

  #schedule(): void {
    if (this.#immediate || this.#opened.size + this.#ready.size + this.#changed.size === 0) return;
    const atMs = this.#opened.size > 0 ? this.#restsUntilMs : Math.max(this.#notBefore, this.#restsUntilMs);
    if (this.#timer && this.#timerAtMs <= atMs) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const waitMs = atMs - performance.now();
    if (waitMs <= 0) {
      this.#immediate = setImmediate(() => {
        this.#immediate = null;
        this.#run();
      });
    } else {
      this.#timerAtMs = atMs;
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#run();
      }, waitMs);
    }
  }

  #run(): void {
    const began = performance.now();
    const { watchersTurnMs, watchersShare, watchersShareWhenBusy } = this.#limits;
    const share = this.#load.isBusy ? watchersShareWhenBusy : watchersShare;
    const isForAll = began >= this.#notBefore;
    let visited = this.#opened;
    this.#opened = new Set();
    if (isForAll) {
      for (const { attachments } of this.#changed) for (const each of attachments) this.#ready.add(each);
      this.#changed.clear();
      for (const each of this.#ready) visited.add(each);
      this.#ready = new Set();
    }
    const untilMs = began + watchersTurnMs * share;
    do {
      visited = this.#round(visited, untilMs);
    } while (visited.size > 0 && performance.now() < untilMs);
    // Attachments that may have more output are queued again; one that was queued during its turn keeps its place.
    for (const each of visited) (isForAll ? this.#ready : this.#opened).add(each);
    const tookMs = performance.now() - began;
    this.#restsUntilMs = began + Math.max(tookMs, Math.min(tookMs / share, LONGEST_REST_MS));
    if (isForAll) this.#notBefore = began + watchersTurnMs;
    this.#schedule();
  }

  /**
   * Sends one step to each attachment while there is time; those with little output, such as an echo, go
   * first. Returns the attachments for the next round, the unserved ones first.
   */
  #round(visited: ReadonlySet<Attachment>, untilMs: number): Set<Attachment> {
    const built: Built = new Map();
    const left: Attachment[] = [];
    const given: Attachment[] = [];
    const serve = (attachments: readonly Attachment[]): void => {
      for (const [index, attachment] of attachments.entries()) {
        // The first attachment of each group is always served, so that those with little output cannot starve
        // the others.
        if (index > 0 && performance.now() >= untilMs) {
          left.push(attachment);
          continue;
        }
        // An attachment that cannot take more is woken later by its ack, its socket's drain or its window.
        if (!attachment.canTakeMore) continue;
        if (attachment.sendShared(built)) given.push(attachment);
      }
    };
    serve([...visited].filter(({ hasLittle }) => hasLittle));
    serve([...visited].filter(({ hasLittle }) => !hasLittle));
    return new Set([...left, ...given]);
  }
}
