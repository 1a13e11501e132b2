// Processes that people keep when the session that started them ends.
import type { ProcessView } from '../keeper/process-view.ts';

export class Pins {
  readonly #by = new Map<string, string>();
  readonly #changed: (process: ProcessView) => void;

  constructor(changed: (process: ProcessView) => void) {
    this.#changed = changed;
  }

  /** Name of the person who keeps the process with this key; undefined: nobody does. */
  of(key: string): string | undefined {
    return this.#by.get(key);
  }

  has(key: string): boolean {
    return this.#by.has(key);
  }

  /** `by`: the person who keeps it; null: nobody. */
  set(process: ProcessView, by: string | null): void {
    if (by === null) this.#by.delete(process.key);
    else this.#by.set(process.key, by);
    this.#changed(process);
  }

  forget(key: string): void {
    this.#by.delete(key);
  }
}
