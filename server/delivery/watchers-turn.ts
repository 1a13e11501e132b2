// The one shared turn of all watchers: its cost has a ceiling, whatever their number and whatever is printed.
import type { Process } from '../process/process.ts';
import type { Attachment } from './attachment.ts';
import type { Step } from './cursor.ts';

export interface WatchersLimits {
  /** Not more often than this … */
  readonly watchersTurnMs: number;
  /** … and not more than this share of the time (0 to 1). */
  readonly watchersShare: number;
}

/** One process's watchers; one subscription serves them all, so that output costs the same with a hundred. */
interface Watched {
  readonly attachments: Set<Attachment>;
  readonly unsubscribe: () => void;
}

/**
 * Each round gives every ready watcher its next step; a message is built once for all who stand at the same place.
 * After a quiet while a turn begins at once, so that what somebody types is echoed without delay.
 */
export class WatchersTurn {
  readonly #limits: WatchersLimits;
  readonly #watched = new Map<Process, Watched>();
  readonly #changed = new Set<Watched>();
  #ready = new Set<Attachment>();
  #timer: NodeJS.Timeout | null = null;
  #immediate: NodeJS.Immediate | null = null;
  #notBefore = 0;

  constructor(limits: WatchersLimits) {
    this.#limits = limits;
  }

  /** Decoded bytes that attachments were told they do not get, since the start. */
  missedBytes = 0;

  /** From now on this attachment is served here. */
  join(attachment: Attachment): void {
    const watched = this.#watched.get(attachment.process) ?? this.#watch(attachment.process);
    watched.attachments.add(attachment);
    this.ready(attachment);
  }

  leave(attachment: Attachment): void {
    this.#ready.delete(attachment);
    const watched = this.#watched.get(attachment.process);
    if (!watched) return;
    watched.attachments.delete(attachment);
    if (watched.attachments.size > 0) return;
    watched.unsubscribe();
    this.#changed.delete(watched);
    this.#watched.delete(attachment.process);
  }

  /** It may be able to go on: there is credit again, or its socket has room. */
  ready(attachment: Attachment): void {
    this.#ready.add(attachment);
    this.#schedule();
  }

  close(): void {
    for (const { unsubscribe } of this.#watched.values()) unsubscribe();
    this.#watched.clear();
    this.#changed.clear();
    this.#ready.clear();
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#immediate) clearImmediate(this.#immediate);
  }

  #watch(process: Process): Watched {
    const unsubscribe = process.log.onChange(() => {
      this.#changed.add(watched);
      this.#schedule();
    });
    const watched: Watched = { attachments: new Set(), unsubscribe };
    this.#watched.set(process, watched);
    return watched;
  }

  #schedule(): void {
    if (this.#timer || this.#immediate || this.#ready.size + this.#changed.size === 0) return;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs <= 0) {
      this.#immediate = setImmediate(() => {
        this.#immediate = null;
        this.#run();
      });
    } else {
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#run();
      }, waitMs);
    }
  }

  #run(): void {
    const began = performance.now();
    for (const { attachments } of this.#changed) for (const each of attachments) this.#ready.add(each);
    this.#changed.clear();
    const budgetMs = this.#limits.watchersTurnMs * this.#limits.watchersShare;
    let sent: boolean;
    do {
      sent = this.#round();
    } while (sent && performance.now() - began < budgetMs);
    const costMs = performance.now() - began;
    this.#notBefore = began + Math.max(this.#limits.watchersTurnMs, costMs / this.#limits.watchersShare);
    this.#schedule();
  }

  /** One step for everyone who is ready; whether anything was sent. */
  #round(): boolean {
    const built = new Map<Step, string | Buffer>();
    const visited = this.#ready;
    this.#ready = new Set();
    let sent = 0;
    for (const attachment of visited) {
      // Who cannot take more is not visited again until its ack or its socket's drain wakes it.
      if (!attachment.canTakeMore) continue;
      const step = attachment.pull();
      if (!step) continue;
      sent += attachment.send(step, built);
      this.#ready.add(attachment);
    }
    return sent > 0;
  }
}
