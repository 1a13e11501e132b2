// Divides shared resources that one user could exhaust: a limit for each token, and a reserve for operators
// and admins.
import { countedText, numberText } from '../../text/amounts.ts';

export interface BudgetLimits {
  readonly all: number;
  readonly perToken: number;
  /** Part of `all` that only operators and admins may use. */
  readonly reserve: number;
}

/** User of a resource: a token, or all guests of one share link together. */
export interface Taker {
  readonly tokenId: string;
  readonly role: string;
  readonly share?: { readonly id: string };
}

/** Smallest total that is divided between tokens. */
const LEAST_DIVIDED = 10;
const PART_OF_TOKEN = 1 / 2;
const PART_OF_RESERVE = 1 / 10;

/**
 * Returns the limits: half of the total for each token, and a tenth reserved for operators and admins. A
 * total below LEAST_DIVIDED is not divided.
 */
export const divided = (all: number): BudgetLimits =>
  all < LEAST_DIVIDED
    ? { all, perToken: all, reserve: 0 }
    : { all, perToken: Math.ceil(all * PART_OF_TOKEN), reserve: Math.floor(all * PART_OF_RESERVE) };

const mayUseReserve = ({ role }: Taker): boolean => role === 'operator' || role === 'admin';

const takerId = ({ share, tokenId }: Taker): string => share?.id ?? tokenId;

export class Budget {
  readonly #what: string;
  readonly #limits: BudgetLimits;
  readonly #ofTaker = new Map<string, number>();
  #taken = 0;

  /** `what` names the resource in error texts, as in "this token may have at most 3 sessions at a time and has 3". */
  constructor(what: string, limits: BudgetLimits) {
    this.#what = what;
    this.#limits = limits;
  }

  /** Returns the reason why `count` more would exceed a limit; null when they would not. */
  whyNot(taker: Taker, count = 1): string | null {
    const { all, perToken, reserve } = this.#limits;
    const own = this.#ofTaker.get(takerId(taker)) ?? 0;
    const requested = count > 1 ? ` (requested: ${numberText(count)} more)` : '';
    const [who, have] = taker.share ? ['the guests of this share together', 'have'] : ['this token', 'has'];
    if (own + count > perToken)
      return `${who} may have at most ${numberText(perToken)} ${this.#what} at a time and ${have} ${numberText(own)}${requested}`;
    const most = mayUseReserve(taker) ? all : all - reserve;
    if (this.#taken + count <= most) return null;
    const rest =
      most < all ? `; ${countedText(reserve, 'more is', 'more are')} reserved for operators and admins` : '';
    return `all tokens together may have at most ${numberText(most)} ${this.#what} at a time and have ${numberText(this.#taken)}${requested}${rest}`;
  }

  /** Books an amount without a check; returns a function that releases it, at most once. */
  take(taker: Taker, count = 1): () => void {
    const id = takerId(taker);
    this.#book(id, count);
    let isTaken = true;
    return () => {
      if (isTaken) this.#book(id, -count);
      isTaken = false;
    };
  }

  #book(id: string, count: number): void {
    this.#taken += count;
    const own = (this.#ofTaker.get(id) ?? 0) + count;
    if (own === 0) this.#ofTaker.delete(id);
    else this.#ofTaker.set(id, own);
  }
}
