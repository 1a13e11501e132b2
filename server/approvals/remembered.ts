// Approvals for a session, which end with the session, and with the approver's token.
import type { Session } from '../sessions/session.ts';

/** Maximum number of remembered keys of one session, two per start; further approvals are not remembered. */
const MOST_KEYS = 20_000;

export class Remembered {
  /** Id of the token with which each key was approved. */
  readonly #of = new WeakMap<Session, Map<string, string>>();
  /**
   * Returns the version of the rules that have another decision than `allow`; approvals given under another version
   * do not count.
   */
  readonly #rulesVersion: () => number;
  readonly #isValid: (tokenId: string) => boolean;

  /** `isValid`: returns true for the id of a token that has neither expired nor been revoked. */
  constructor(rulesVersion: () => number, isValid: (tokenId: string) => boolean) {
    this.#rulesVersion = rulesVersion;
    this.#isValid = isValid;
  }

  add(session: Session, key: string, tokenId: string): void {
    const known = this.#of.get(session) ?? new Map<string, string>();
    const place = this.#underRules(key);
    if (known.size < MOST_KEYS || known.has(place)) known.set(place, tokenId);
    this.#of.set(session, known);
  }

  /**
   * Returns true when a valid approval is remembered. `key` is called only if the session has remembered approvals,
   * since computing the key can take milliseconds.
   */
  has(session: Session, key: () => string): boolean {
    const tokenId = this.#of.get(session)?.get(this.#underRules(key()));
    return tokenId !== undefined && this.#isValid(tokenId);
  }

  #underRules(key: string): string {
    return `${this.#rulesVersion()} ${key}`;
  }
}
