// Divides the work of a worker thread on screens, or on replays, into turns: the work of one may take minutes,
// and pauses while others have their turns.

/** Turn of the screen that is being drawn. */
export interface Turn {
  /** True when this turn has used up its time and must end, so that other screens have their turns. */
  readonly isOver: boolean;
  /** Resolves when it is this screen's turn again. */
  again(): Promise<void>;
}

/** Turn of a screen that shares its thread with no others. */
export const ENDLESS_TURN: Turn = { isOver: false, again: () => Promise.resolve() };

/** A message that is worked on, in one turn or several. */
interface Work {
  /** Ends the turn; null between two turns. */
  end: ((progress: Progress) => void) | null;
  /** Begins the next turn; null before the first turn has ended. */
  begin: (() => void) | null;
  isDone: boolean;
}

/** Ways in which a turn ends: the message is processed, or needs another turn. */
export type Progress = 'done' | 'unfinished';

/** `Key` is the type that identifies a screen or a replay, such as a number. */
export class DrawingTurns<Key = number> implements Turn {
  readonly #turnMs: number;
  /** Maximum total time of a screen's turns until it has caught up with its output. */
  readonly #screenMs: number;
  readonly #works = new Map<Key, Work>();
  /** Time that each screen has used since it last had nothing to draw. */
  readonly #usedMs = new Map<Key, number>();
  #current: Work | null = null;
  #beganMs = 0;

  constructor({
    screenTurnMs,
    screenDrawMs,
  }: {
    readonly screenTurnMs: number;
    readonly screenDrawMs: number;
  }) {
    this.#turnMs = screenTurnMs;
    this.#screenMs = screenDrawMs;
  }

  get isOver(): boolean {
    return this.#current !== null && performance.now() - this.#beganMs >= this.#turnMs;
  }

  again(): Promise<void> {
    const work = this.#current;
    if (!work) return Promise.resolve();
    return new Promise((resolve) => {
      work.begin = resolve;
      this.#end(work, 'unfinished');
    });
  }

  /** Runs one turn of a screen, which begins or continues `work`. */
  async take(screen: Key, work: () => Promise<void>): Promise<Progress> {
    const known = this.#works.get(screen) ?? this.#newWork(screen);
    this.#beganMs = performance.now();
    const progress = await new Promise<Progress>((resolve) => {
      // Work ends between two turns when its screen has been closed.
      if (known.isDone) return resolve('done');
      known.end = resolve;
      this.#current = known;
      if (known.begin) known.begin();
      else void this.#do(known, work);
    });
    if (progress === 'done' && this.#works.get(screen) === known) this.#works.delete(screen);
    this.#usedMs.set(screen, (this.#usedMs.get(screen) ?? 0) + performance.now() - this.#beganMs);
    return progress;
  }

  /** Returns true when a screen has used all the time that it may use to catch up. */
  isUsedUp(screen: Key): boolean {
    return (this.#usedMs.get(screen) ?? 0) >= this.#screenMs;
  }

  /** Resets the time that a screen has used. */
  renew(screen: Key): void {
    this.#usedMs.delete(screen);
  }

  /** Discards the work and the used time of a closed screen. */
  forget(screen: Key): void {
    this.#works.delete(screen);
    this.#usedMs.delete(screen);
  }

  #newWork(screen: Key): Work {
    const work: Work = { end: null, begin: null, isDone: false };
    this.#works.set(screen, work);
    return work;
  }

  /** Does work in as many turns as it needs. An error ends the thread, because it is not handled here. */
  async #do(work: Work, what: () => Promise<void>): Promise<void> {
    await what();
    work.isDone = true;
    this.#end(work, 'done');
  }

  #end(work: Work, progress: Progress): void {
    const { end } = work;
    work.end = null;
    if (this.#current === work) this.#current = null;
    end?.(progress);
  }
}
