// Counts the lines that each writer has typed into a process, so that agents are notified of typing by a person, but do
// not receive the text.

export interface Typed {
  /** Public label of the session. */
  readonly session: string;
  /** Name of the token. */
  readonly who: string;
  readonly lines: number;
}

type Writer = Pick<Typed, 'session' | 'who'>;

/** Maximum number of writers; the least recent one is evicted. */
const MOST_WRITERS = 20;
const ESC = 0x1b;
const ENDS: readonly number[] = [0x0a, 0x0d];

export class TypedLines {
  readonly #typed = new Map<string, Typed>();

  /** Lines per writer, the most recent writer last. */
  get all(): readonly Typed[] {
    return [...this.#typed.values()];
  }

  /**
   * Returns the writer's new count when `bytes` contain a line end, else null. Input that begins with an escape is a
   * terminal's answer or a special key, not a line.
   */
  add({ session, who }: Writer, bytes: Buffer): Typed | null {
    const lines = bytes[0] === ESC ? 0 : bytes.filter((byte) => ENDS.includes(byte)).length;
    if (lines === 0) return null;
    const before = this.#typed.get(nameOf({ session, who }))?.lines ?? 0;
    const typed = { session, who, lines: before + lines };
    this.set(typed);
    return typed;
  }

  /** Sets the count of a writer, who becomes the most recent one. */
  set({ session, who, lines }: Typed): void {
    const name = nameOf({ session, who });
    this.#typed.delete(name);
    this.#typed.set(name, { session, who, lines });
    const [oldest] = this.#typed.keys();
    if (this.#typed.size > MOST_WRITERS && oldest !== undefined) this.#typed.delete(oldest);
  }
}

const nameOf = ({ session, who }: Writer): string => JSON.stringify([session, who]);
