// Processes that people keep when the session that started them ends.
import type { ProcessView } from '../keeper/process-view.ts';

export class Pins {
  readonly #by = new Map<string, string>();
  readonly #changed: (process: ProcessView, by: string | null) => void;

  constructor(changed: (process: ProcessView, by: string | null) => void) {
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
    this.#changed(process, by);
  }

  /** Takes the note of an earlier gateway. */
  restore(key: string, by: string): void {
    this.#by.set(key, by);
  }

  forget(key: string): void {
    this.#by.delete(key);
  }
}
