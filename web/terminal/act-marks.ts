// Which acts of people are news to a pane: those that it was told of while it was open and connected, once each.
import type { Act, ProcessInfo } from '../../server/protocol/console.ts';

export class ActMarks {
  #newestMs: number;
  /** The connection over which the newest was told. */
  #connection: string | null;

  /** What was done before the pane was opened is history; where in the output it belongs nobody knows. */
  constructor(acts: ProcessInfo['acts'], connection: string | null) {
    this.#newestMs = acts.at(-1)?.atMs ?? 0;
    this.#connection = connection;
  }

  /** Those to be marked now, told over this connection. */
  news(acts: ProcessInfo['acts'], connection: string | null): readonly Act[] {
    const newestMs = acts.at(-1)?.atMs ?? 0;
    const isSameConnection = connection === this.#connection;
    const fresh = isSameConnection ? acts.filter(({ atMs }) => atMs > this.#newestMs) : [];
    this.#newestMs = Math.max(this.#newestMs, newestMs);
    this.#connection = connection;
    return fresh;
  }
}
