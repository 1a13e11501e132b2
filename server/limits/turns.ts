// Queue of work within a budget. Work of a token that has used its share waits, without delaying work of
// other tokens.
import type { Budget, Taker } from './budget.ts';

interface Waiting {
  readonly taker: Taker;
  /** Called when it is this work's turn, with the function that releases its share. */
  readonly begin: (giveBack: () => void) => void;
}

export class Turns {
  readonly #budget: Budget;
  /** Waiting work in order of arrival. */
  readonly #waiting = new Set<Waiting>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Runs `work` once the budget has room for it; rejects when `over` is or becomes aborted before. */
  async inTurn<T>(taker: Taker, work: () => Promise<T>, over?: AbortSignal): Promise<T> {
    over?.throwIfAborted();
    const giveBack = await new Promise<() => void>((begin, reject) => {
      const waiting = { taker, begin };
      this.#waiting.add(waiting);
      over?.addEventListener('abort', () => {
        if (this.#waiting.delete(waiting)) reject(over.reason as Error);
      });
      this.#letIn();
    });
    try {
      return await work();
    } finally {
      giveBack();
      this.#letIn();
    }
  }

  #letIn(): void {
    for (const next of this.#waiting) {
      if (this.#budget.whyNot(next.taker) !== null) continue;
      this.#waiting.delete(next);
      next.begin(this.#budget.take(next.taker));
    }
  }
}
