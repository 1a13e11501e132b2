// Approvals for a session, which end with it.
import type { Session } from '../sessions/session.ts';

/** Maximum number of remembered keys of one session; a start has two. */
const MOST_KEYS = 20_000;

export class Remembered {
  readonly #of = new WeakMap<Session, Set<string>>();
  /**
   * Returns the version of the rules that require approval or forbid commands; approvals given under another
   * version do not count.
   */
  readonly #rulesVersion: () => number;

  constructor(rulesVersion: () => number) {
    this.#rulesVersion = rulesVersion;
  }

  add(session: Session, key: string): void {
    const known = this.#of.get(session) ?? new Set();
    if (known.size < MOST_KEYS) known.add(this.#underRules(key));
    this.#of.set(session, known);
  }

  /** `key` is computed only if the session has remembered approvals, since that can take milliseconds. */
  has(session: Session, key: () => string): boolean {
    return this.#of.get(session)?.has(this.#underRules(key())) ?? false;
  }

  #underRules(key: string): string {
    return `${this.#rulesVersion()} ${key}`;
  }
}
