// Append-only notes file. Lines that could not be written are written later, and the file is rewritten when most of
// its lines may be outdated.
import { writePrivateFile } from '../policy/state-dir.ts';
import { LinesFile } from './lines-file.ts';

/** Interval between retries after a failed write. */
const AGAIN_MS = 1000;

export interface NotedLinesOptions {
  readonly path: string;
  /**
   * Number of lines, in addition to twice those after the last rewrite, beyond which the file is rewritten; also the
   * maximum number of delayed lines, beyond which the oldest is dropped.
   */
  readonly mostLines: number;
  /** Returns the lines that a rewritten file consists of, given all lines; throws when they cannot be read. */
  readonly current: (all: () => readonly unknown[]) => readonly unknown[];
  /**
   * Called with the error when a write fails, except a retry; with null once all lines are written or `close` has
   * dropped the rest.
   */
  readonly failed: (error: Error | null) => void;
}

export class NotedLines {
  readonly #options: NotedLinesOptions;
  #file: LinesFile;
  #count = 0;
  /** Number of lines that the last rewrite wrote; 0 before the first rewrite. */
  #begunWith = 0;
  /** Lines that are not written yet. */
  #late: unknown[] = [];
  /** True when a line was dropped, so that the file must be rewritten. */
  #isIncomplete = false;
  #again: NodeJS.Timeout | null = null;
  #isResting = false;
  #isClosed = false;

  constructor(options: NotedLinesOptions) {
    this.#options = options;
    this.#file = new LinesFile(options.path);
  }

  /** True after `close`: later lines are ignored. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns the lines of an earlier program; damaged ones are skipped. */
  read(): readonly unknown[] {
    const lines = this.#file.read();
    this.#count = lines.length;
    return lines;
  }

  /** Appends the first line of a new file; throws when the write fails. */
  begin(line: unknown): void {
    try {
      this.#file.append(line);
    } catch (error) {
      this.#file.close();
      throw error;
    }
    this.#count = 1;
  }

  /** Appends a line, or rewrites the file; tries again later when the write fails. */
  append(line: unknown): void {
    if (this.#isClosed) return;
    if (this.#late.push(line) > this.#options.mostLines) {
      this.#late.shift();
      this.#isIncomplete = true;
    }
    if (this.#again) return;
    const error = this.#write();
    if (!error) return;
    this.#again = setTimeout(() => this.#writeAgain(), AGAIN_MS).unref();
    this.#options.failed(error);
  }

  /** Holds the file open only during each later write. */
  rest(): void {
    this.#isResting = true;
    this.#file.close();
  }

  /** Tries once more to write the delayed lines, drops them if that fails, and reports the end of the failure. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#again) {
      clearTimeout(this.#again);
      this.#write();
      this.#options.failed(null);
    }
    this.#file.close();
  }

  #writeAgain(): void {
    if (this.#write()) {
      this.#again = setTimeout(() => this.#writeAgain(), AGAIN_MS).unref();
      return;
    }
    this.#again = null;
    this.#options.failed(null);
  }

  /** Writes the lines that are not written yet; returns the error of a failed write, or else null. */
  #write(): Error | null {
    try {
      const most = this.#options.mostLines + 2 * this.#begunWith;
      if (this.#isIncomplete || this.#count + this.#late.length > most) this.#writeAnew();
      for (; this.#late.length > 0; this.#late.shift()) {
        this.#file.append(this.#late[0]);
        this.#count += 1;
      }
      if (this.#isResting) this.#file.close();
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  #writeAnew(): void {
    const { path, current } = this.#options;
    const lines = current(() => [...this.#file.read(), ...this.#late]);
    this.#file.close();
    writePrivateFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    this.#file = new LinesFile(path);
    this.#begunWith = lines.length;
    this.#count = lines.length;
    this.#late = [];
    this.#isIncomplete = false;
  }
}
