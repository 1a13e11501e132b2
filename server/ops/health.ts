// Health of the gateway: its failures, by the part that found each, with their remedies.
import type { GatewayHealth } from '../../protocol/console.ts';

export class Health {
  readonly #reasons = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  get state(): GatewayHealth {
    return { status: this.#reasons.size === 0 ? 'ok' : 'degraded', reasons: [...this.#reasons.values()] };
  }

  /** `part` has found something that does not work, or with null that it does. */
  report(part: string, reason: string | null): void {
    if ((this.#reasons.get(part) ?? null) === reason) return;
    if (reason === null) this.#reasons.delete(part);
    else this.#reasons.set(part, reason);
    for (const listener of this.#listeners) listener();
  }

  /** Returns its own undo. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
