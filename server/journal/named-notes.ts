// Stores notes by kind and name on disk, so that a later gateway can read them.
import { NotedLines } from './noted-lines.ts';

/** Minimum number of lines beyond which the file is rewritten; see `NotedLinesOptions`. */
const MOST_LINES = 5000;

/** One line of the file; a value of null removes the note. */
type Line = readonly [kind: string, name: string, value: unknown];

export class NamedNotes {
  readonly #notes = new Map<string, Map<string, unknown>>();
  readonly #lines: NotedLines;

  /** Reads the notes of an earlier gateway; damaged lines are skipped. */
  constructor(path: string, failed: (error: Error | null) => void) {
    this.#lines = new NotedLines({
      path,
      mostLines: MOST_LINES,
      current: () =>
        [...this.#notes].flatMap(([kind, named]) =>
          [...named].map(([name, value]): Line => [kind, name, value]),
        ),
      failed,
    });
    for (const line of this.#lines.read()) {
      if (Array.isArray(line) && typeof line[0] === 'string' && typeof line[1] === 'string')
        this.#take(line as unknown as Line);
    }
  }

  all(kind: string): ReadonlyMap<string, unknown> {
    return new Map(this.#notes.get(kind));
  }

  set(kind: string, name: string, value: object): void {
    this.#note([kind, name, value]);
  }

  remove(kind: string, name: string): void {
    if (this.#notes.get(kind)?.has(name)) this.#note([kind, name, null]);
  }

  /** Closes the file; later notes are ignored. */
  close(): void {
    this.#lines.close();
  }

  #note(line: Line): void {
    if (this.#lines.isClosed) return;
    this.#take(line);
    this.#lines.append(line);
  }

  #take([kind, name, value]: Line): void {
    const named = this.#notes.get(kind) ?? new Map<string, unknown>();
    this.#notes.set(kind, named);
    if (value === null || value === undefined) named.delete(name);
    else named.set(name, value);
  }
}
