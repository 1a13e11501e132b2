// Splits arriving bytes into whole lines of limited length; a longer line is reported once and skipped.

const NEWLINE = 0x0a;

export interface LinesEvents {
  /** Called with each line, without its newline. */
  onLine(line: Buffer): void;
  /** Called as soon as a line has too many bytes; the rest of it is skipped. */
  onTooLong(): void;
}

export class Lines {
  readonly #limitBytes: number;
  readonly #events: LinesEvents;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isTooLong = false;

  /** A line must have fewer bytes than `limitBytes`. */
  constructor(limitBytes: number, events: LinesEvents) {
    this.#limitBytes = limitBytes;
    this.#events = events;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
  }

  /** Ends the input; a last line needs no newline. */
  end(): void {
    if (this.#bytes > 0) this.#endLine();
  }

  #take(part: Buffer): void {
    if (this.#isTooLong || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes < this.#limitBytes) {
      this.#parts.push(part);
      return;
    }
    this.#isTooLong = true;
    this.#parts = [];
    this.#events.onTooLong();
  }

  #endLine(): void {
    const [first = Buffer.alloc(0), ...others] = this.#parts;
    const line = others.length === 0 ? first : Buffer.concat(this.#parts);
    const isWhole = !this.#isTooLong;
    this.#parts = [];
    this.#bytes = 0;
    this.#isTooLong = false;
    if (isWhole) this.#events.onLine(line);
  }
}
