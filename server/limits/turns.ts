// Work that takes turns: so much at once, and a share of it per token; work without room waits, and delays no other
// token's.
import type { Budget, Taker } from './budget.ts';

interface Waiting {
  readonly taker: Taker;
  /** Called at its turn, with the function that ends it. */
  readonly begin: (giveBack: () => void) => void;
}

export class Turns {
  readonly #budget: Budget;
  /** Waiting work in the order of arrival. */
  readonly #waiting = new Set<Waiting>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Does it when it is this one's turn. */
  async inTurn<T>(taker: Taker, work: () => Promise<T>): Promise<T> {
    const giveBack = await new Promise<() => void>((begin) => {
      this.#waiting.add({ taker, begin });
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
