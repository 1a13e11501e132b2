// Health of the gateway: its failures, by the part that found each, with their remedies.
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

  /** `part` has found something that does not work, or with null that it does. */
  report(part: string, reason: string | null): void {
    this.#set(this.#reasons, part, reason);
  }

  /** Something that people should know, and that is no failure of the gateway; null: not any more. */
  notice(about: string, text: string | null): void {
    this.#set(this.#notices, about, text);
  }

  #set(texts: Map<string, string>, name: string, text: string | null): void {
    if ((texts.get(name) ?? null) === text) return;
    if (text === null) texts.delete(name);
    else texts.set(name, text);
    for (const listener of this.#listeners) listener();
  }

  /** Returns its own undo. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
