// Listeners for the changes of one process, and for its terminal's requests for attention.
import type { AttentionListener, ChangeListener } from './process-view.ts';

export class Listeners {
  readonly #ofChanges = new Set<ChangeListener>();
  readonly #ofAttention = new Set<AttentionListener>();

  onChange(listener: ChangeListener): () => void {
    this.#ofChanges.add(listener);
    return () => this.#ofChanges.delete(listener);
  }

  onAttention(listener: AttentionListener): () => void {
    this.#ofAttention.add(listener);
    return () => this.#ofAttention.delete(listener);
  }

  changed(urgency: 'soon' | 'later'): void {
    for (const listener of this.#ofChanges) listener(urgency);
  }

  /** Reports a bell or a notification of the terminal, which is also a change. */
  askAttention(text: string | null): void {
    this.changed('soon');
    for (const listener of this.#ofAttention) listener(text);
  }
}
