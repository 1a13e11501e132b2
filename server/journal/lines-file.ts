// Append-only file of JSON lines, which can be read up to the last complete line after a crash.
import { closeSync, writeSync } from 'node:fs';
import { APPEND, openRegular, readRegular } from '../host/regular-file.ts';

export class LinesFile {
  readonly #path: string;
  #file: number | null = null;
  /** True when the last line may be incomplete, so that the next line must not continue it. */
  #isBroken = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns all readable lines, none when the file cannot be read; lines that are not JSON are skipped. */
  read(): unknown[] {
    let text: string;
    try {
      text = readRegular(this.#path).toString();
    } catch {
      return [];
    }
    this.#isBroken = text !== '' && !text.endsWith('\n');
    return text.split('\n').flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
  }

  /** Appends a line synchronously; throws when the write fails. */
  append(value: unknown): void {
    this.#file ??= openRegular(this.#path, APPEND);
    const line = Buffer.from(`${this.#isBroken ? '\n' : ''}${JSON.stringify(value)}\n`);
    this.#isBroken = true;
    if (writeSync(this.#file, line) < line.length)
      throw new Error('only part of a line was written; the disk may be full');
    this.#isBroken = false;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
