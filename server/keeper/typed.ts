// The number of lines that each writer has typed into a process: an agent is told that a person typed, and never the text.

/** Lines of one writer. */
export interface Typed {
  /** The session's public label. */
  readonly session: string;
  /** The token's name. */
  readonly who: string;
  readonly lines: number;
}

type Writer = Pick<Typed, 'session' | 'who'>;

/** Limit of the writers; the one idle for longest is evicted. */
const MOST_WRITERS = 20;
const ESC = 0x1b;
const ENDS: readonly number[] = [0x0a, 0x0d];

export class TypedLines {
  readonly #typed = new Map<string, Typed>();

  /** The one that typed last comes last. */
  get all(): readonly Typed[] {
    return [...this.#typed.values()];
  }

  /**
   * Returns all lines of this writer when there is one in these bytes; else null. Answers of a terminal and its keys
   * without a letter begin with an escape, and are no line.
   */
  add({ session, who }: Writer, bytes: Buffer): Typed | null {
    const lines = bytes[0] === ESC ? 0 : bytes.filter((byte) => ENDS.includes(byte)).length;
    if (lines === 0) return null;
    const before = this.#typed.get(nameOf({ session, who }))?.lines ?? 0;
    const typed = { session, who, lines: before + lines };
    this.set(typed);
    return typed;
  }

  /** Replaces the lines of this writer, which has typed last. */
  set({ session, who, lines }: Typed): void {
    const name = nameOf({ session, who });
    this.#typed.delete(name);
    this.#typed.set(name, { session, who, lines });
    const [oldest] = this.#typed.keys();
    if (this.#typed.size > MOST_WRITERS && oldest !== undefined) this.#typed.delete(oldest);
  }
}

const nameOf = ({ session, who }: Writer): string => JSON.stringify([session, who]);
