// A file of JSON lines that is only appended to: what was written before a crash is read again, up to the last whole line.
import { appendFileSync, closeSync, openSync, readFileSync, writeSync } from 'node:fs';

export class LinesFile {
  readonly #path: string;
  #file: number | null = null;
  /** True when the last line may be a part of one. */
  #isBroken = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** All lines that can be read; what is not JSON is left out. */
  read(): unknown[] {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch {
      return [];
    }
    // A last line without its end may be a part of one.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(this.#path, '\n');
    return text.split('\n').flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
  }

  /** Appends a line before it returns; throws when the disk does not take it. */
  append(value: unknown): void {
    this.#file ??= openSync(this.#path, 'a', 0o600);
    const line = Buffer.from(`${this.#isBroken ? '\n' : ''}${JSON.stringify(value)}\n`);
    this.#isBroken = true;
    if (writeSync(this.#file, line) < line.length) throw new Error('the disk took only a part of a line');
    this.#isBroken = false;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
