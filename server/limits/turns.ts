// Work that takes turns: so much at once, and of one token a part of it; who finds no room waits, and holds up nobody else.
import type { Budget, Taker } from './budget.ts';

interface Waiting {
  readonly taker: Taker;
  /** Told how the turn is given back. */
  readonly begin: (giveBack: () => void) => void;
}

export class Turns {
  readonly #budget: Budget;
  /** In the order of their coming. */
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
