// Checks the files of starts in the background, a few at once, each with a time limit.
import { AsUser, type OtherUser } from './as-user.ts';
import { startFacts, UNKNOWN_MARK, type FactsQuestion, type StartFacts } from './start-facts.ts';

/** Maximum number of checks at once: each uses one of the few threads that all file requests share. */
const AT_ONCE = 2;
/** Time limit of a check, after which its facts are unknown. A busy machine may need seconds. */
const LOOK_MS = 10_000;

export const UNKNOWN: StartFacts = {
  branch: null,
  program: null,
  mark: UNKNOWN_MARK,
  realFolder: null,
  folder: null,
  places: UNKNOWN_MARK,
};

export class FactFinder {
  readonly #asUser: AsUser | null;
  readonly #lookMs: number;
  readonly #look: typeof startFacts;
  /** Callbacks of queued checks, called with true when the check may begin, and with false when the queue is stuck. */
  readonly #waiting: ((mayLook: boolean) => void)[] = [];
  #looks = 0;
  /** Number of checks that continue past their time limit, for example on a file system that does not respond. */
  #stuck = 0;

  /** `user`: the user that checks the files; null: the gateway's user. */
  constructor(user: OtherUser | null, { lookMs = LOOK_MS, look = startFacts } = {}) {
    this.#asUser = user && new AsUser(user);
    this.#lookMs = lookMs;
    this.#look = look;
  }

  /** Resolves with the facts; never rejects: resolves with `UNKNOWN` when a check fails or cannot be done in time. */
  async find(question: FactsQuestion): Promise<StartFacts> {
    const asUser = this.#asUser;
    if (asUser) return asUser.inTurnSoon(() => asUser.facts(question)).catch(() => UNKNOWN);
    return (await this.#isOnesTurn()) ? this.#inTime(question) : UNKNOWN;
  }

  async close(): Promise<void> {
    await this.#asUser?.close();
  }

  async #isOnesTurn(): Promise<boolean> {
    if (this.#looks >= AT_ONCE)
      return this.#stuck < AT_ONCE && new Promise<boolean>((begin) => this.#waiting.push(begin));
    this.#looks += 1;
    return true;
  }

  #inTime(question: FactsQuestion): Promise<StartFacts> {
    const over = new AbortController();
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        this.#stuck += 1;
        over.abort();
        resolve(UNKNOWN);
        if (this.#stuck >= AT_ONCE) for (const begin of this.#waiting.splice(0)) begin(false);
      }, this.#lookMs).unref();
      const ended = (facts: StartFacts): void => {
        clearTimeout(timer);
        if (isLate) this.#stuck -= 1;
        resolve(facts);
        const next = this.#waiting.shift();
        if (next) next(true);
        else this.#looks -= 1;
      };
      this.#look(question, over.signal).then(ended, () => ended(UNKNOWN));
    });
  }
}
