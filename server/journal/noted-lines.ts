// Append-only notes file, which is rewritten when most of its lines are outdated.
import { writePrivateFile } from '../policy/state-dir.ts';
import { LinesFile } from './lines-file.ts';

export interface NotedLinesOptions {
  readonly path: string;
  /** The file is rewritten when it has more lines than this plus twice the number of current ones. */
  readonly mostLines: number;
  /** Returns the lines that a rewritten file consists of. */
  readonly current: () => readonly unknown[];
  readonly failed: (error: Error) => void;
}

export class NotedLines {
  readonly #options: NotedLinesOptions;
  #file: LinesFile;
  #count = 0;
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

  /** Appends a line, or rewrites the file from `current`, which must already include it; reports errors to `failed`. */
  append(line: unknown): void {
    if (this.#isClosed) return;
    const { current, mostLines, failed } = this.#options;
    try {
      if (this.#count > mostLines && this.#count > mostLines + 2 * current().length) this.#writeAnew();
      else {
        this.#file.append(line);
        this.#count += 1;
      }
    } catch (error) {
      failed(error as Error);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#file.close();
  }

  #writeAnew(): void {
    const { path, current } = this.#options;
    this.#file.close();
    const lines = current();
    writePrivateFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    this.#file = new LinesFile(path);
    this.#count = lines.length;
  }
}
