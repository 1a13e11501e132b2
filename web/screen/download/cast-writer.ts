// Output of a process as an asciicast (version 3) for playback: each piece with the delay since the previous one.
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Stream } from '../../../protocol/process.ts';
import type { Size } from '../../../protocol/scalars.ts';
import { commandLine, shortCommand } from '../../../text/command-line.ts';
import { missingText } from '../../../text/missing-output.ts';
import type { Retained } from './retained-output.ts';

const USUAL_SIZE = { rows: 24, cols: 80 };

type CastInfo = Pick<ProcessInfo, 'argv' | 'startedAtMs' | 'size' | 'tty' | 'exitCode'>;

/** Yields the cast in pieces, one per page and one for the end; the first that is not empty begins with the header. */
export async function* readAsCast(
  pages: AsyncIterable<readonly Retained[]>,
  info: CastInfo,
): AsyncGenerator<string> {
  const cast = new Cast(info);
  for await (const page of pages) yield page.map((event) => cast.event(event)).join('');
  yield cast.end();
}

class Cast {
  readonly #info: CastInfo;
  /** One decoder per stream, because a character may be split between two chunks of its stream. */
  readonly #decoders = new Map<Stream, TextDecoder>();
  #size: Size;
  #hasHeader = false;
  #isCutOff = false;
  /**
   * Start of the cast. If the beginning is missing, this is the time of the first output, so that playback does not
   * wait.
   */
  #beginsAtMs: number;
  #atMs = 0;
  /** Time of the last event written, in ms since the start of the cast. */
  #writtenMs = 0;
  /** Events not written yet; gaps, screens and sizes get the time of the next output or, at the end, the last one. */
  #waiting: (readonly [code: string, data: string])[] = [];

  constructor(info: CastInfo) {
    this.#info = info;
    this.#size = info.size ?? USUAL_SIZE;
    this.#beginsAtMs = info.startedAtMs;
  }

  event(event: Retained): string {
    switch (event.kind) {
      case 'gap':
        if (!this.#hasHeader) this.#isCutOff = true;
        this.#waiting.push(['m', missingText(event.bytes)]);
        return '';
      case 'screen':
        this.#resize(event.size);
        this.#waiting.push(['o', `\u001bc${new TextDecoder().decode(event.data)}`]);
        // The screen at the beginning of a range is written at time zero.
        return this.#hasHeader || this.#isCutOff ? '' : this.#head(null) + this.#written();
      case 'resized':
        this.#resize(event.size);
        return '';
      case 'output':
        return this.#output(event);
    }
  }

  end(): string {
    const { exitCode } = this.#info;
    if (exitCode !== null) this.#waiting.push(['x', String(exitCode)]);
    return this.#head(null) + this.#written();
  }

  #output({ stream, bytes, atMs }: Extract<Retained, { kind: 'output' }>): string {
    const head = this.#head(atMs);
    // Timestamps may go back between two streams or after a clock change; a cast needs ascending times.
    if (atMs !== null) this.#atMs = Math.max(this.#atMs, atMs - this.#beginsAtMs);
    const text = this.#decoder(stream).decode(bytes, { stream: true });
    // Lines from a pipe end without the carriage return that a terminal needs.
    this.#waiting.push(['o', this.#info.tty ? text : text.replaceAll('\n', '\r\n')]);
    return head + this.#written();
  }

  #head(atMs: number | null): string {
    if (this.#hasHeader) return '';
    this.#hasHeader = true;
    if (this.#isCutOff && atMs !== null) this.#beginsAtMs = atMs;
    const { argv } = this.#info;
    const { rows, cols } = this.#size;
    const timestamp = Math.floor(this.#beginsAtMs / 1000);
    return line({
      version: 3,
      term: { cols, rows },
      timestamp,
      command: commandLine(argv),
      title: shortCommand(argv),
    });
  }

  #resize(size: Size): void {
    if (size.rows === this.#size.rows && size.cols === this.#size.cols) return;
    this.#size = size;
    if (this.#hasHeader) this.#waiting.push(['r', `${size.cols}x${size.rows}`]);
  }

  #written(): string {
    return this.#waiting
      .splice(0)
      .map(([code, data]) => {
        const seconds = (this.#atMs - this.#writtenMs) / 1000;
        this.#writtenMs = this.#atMs;
        return line([seconds, code, data]);
      })
      .join('');
  }

  #decoder(stream: Stream): TextDecoder {
    const decoder = this.#decoders.get(stream) ?? new TextDecoder();
    this.#decoders.set(stream, decoder);
    return decoder;
  }
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
