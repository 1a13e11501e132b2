// Processes that people pinned, so that they outlive their session.
import type { ProcessView } from '../keeper/process-view.ts';

export class Pins {
  readonly #by = new Map<string, string>();
  readonly #changed: (process: ProcessView, by: string | null) => void;

  constructor(changed: (process: ProcessView, by: string | null) => void) {
    this.#changed = changed;
  }

  /** Returns the name of the person who pinned the process; undefined when it is not pinned. */
  of(key: string): string | undefined {
    return this.#by.get(key);
  }

  has(key: string): boolean {
    return this.#by.has(key);
  }

  /** Sets who has pinned the process; null unpins it. */
  set(process: ProcessView, by: string | null): void {
    if (by === null) this.#by.delete(process.key);
    else this.#by.set(process.key, by);
    this.#changed(process, by);
  }

  /** Restores a pin of an earlier gateway. */
  restore(key: string, by: string): void {
    this.#by.set(key, by);
  }

  forget(key: string): void {
    this.#by.delete(key);
  }
}
