// Notes by kind and name in one file of lines, which is only appended to and now and then written anew.
import { writePrivateFile } from '../policy/state-dir.ts';
import { LinesFile } from './lines-file.ts';

/** Lines above twice the notes that are there, after which the file is written anew. */
const MOST_LINES = 5000;

/** A value, or null: the note is removed. */
type Line = readonly [kind: string, name: string, value: unknown];

export class NamedNotes {
  readonly #path: string;
  readonly #failed: (error: Error) => void;
  readonly #notes = new Map<string, Map<string, unknown>>();
  #lines: LinesFile;
  #count = 0;
  #isClosed = false;

  /** Reads what an earlier program has noted; damage costs the notes that it hits. */
  constructor(path: string, failed: (error: Error) => void) {
    this.#path = path;
    this.#failed = failed;
    this.#lines = new LinesFile(path);
    for (const line of this.#lines.read()) {
      this.#count += 1;
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

  /** Notes nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#lines.close();
  }

  #note(line: Line): void {
    if (this.#isClosed) return;
    this.#take(line);
    try {
      if (this.#count > MOST_LINES + 2 * this.#size) this.#writeAnew();
      else this.#lines.append(line);
      this.#count += 1;
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  get #size(): number {
    return [...this.#notes.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #writeAnew(): void {
    this.#lines.close();
    const lines = [...this.#notes].flatMap(([kind, named]) =>
      [...named].map(([name, value]) => `${JSON.stringify([kind, name, value])}\n`),
    );
    writePrivateFile(this.#path, lines.join(''));
    this.#lines = new LinesFile(this.#path);
    this.#count = lines.length;
  }

  #take([kind, name, value]: Line): void {
    const named = this.#notes.get(kind) ?? new Map<string, unknown>();
    this.#notes.set(kind, named);
    if (value === null || value === undefined) named.delete(name);
    else named.set(name, value);
  }
}
