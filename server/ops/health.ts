// Health of the gateway: its current failures, by the part that reports each, and notices for people.
import type { GatewayHealth } from '../../protocol/health.ts';

export class Health {
  readonly #reasons = new Map<string, string>();
  readonly #notices = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  get state(): GatewayHealth {
    return {
      status: this.#reasons.size === 0 ? 'ok' : 'degraded',
      reasons: [...this.#reasons.values()],
      ...(this.#notices.size > 0 && { notices: [...this.#notices.values()] }),
    };
  }

  /** Reports that `part` has failed; a reason of null means that it works again. */
  report(part: string, reason: string | null): void {
    this.#set(this.#reasons, part, reason);
  }

  /** Sets a notice for people that is not a failure of the gateway; null removes it. */
  notice(about: string, text: string | null): void {
    this.#set(this.#notices, about, text);
  }

  #set(texts: Map<string, string>, name: string, text: string | null): void {
    if ((texts.get(name) ?? null) === text) return;
    if (text === null) texts.delete(name);
    else texts.set(name, text);
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each change; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
