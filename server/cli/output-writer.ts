// A process's output to our own stdout and stderr: credit is given back for what was really written.
import type { Output } from '../../client/exec-client.ts';
import { say } from './notes.ts';

/** The gateway stops waiting for a reader that acknowledges nothing for 10 s; so one chunk is acknowledged in each … */
const SIGN_OF_LIFE_MS = 5000;
/** … before it is written, as long as no more than this is kept here for a reader that has stopped. */
const KEPT_BYTES = 64 * 1024 * 1024;

interface Piece {
  readonly bytes: number;
  readonly drawn: () => void;
  isAcknowledged: boolean;
}

export interface OutputWriterOptions {
  /** What is really written of a chunk. */
  readonly shape: (output: Output) => Uint8Array;
  /** Whoever read our stdout has gone. */
  readonly broken: () => void;
}

export class OutputWriter {
  readonly #options: OutputWriterOptions;
  #unwritten: Piece[] = [];
  #hasWritten = false;
  readonly #timer: NodeJS.Timeout;
  #isBroken = false;
  readonly #onError = (error: NodeJS.ErrnoException): void => {
    if (this.#isBroken) return;
    this.#isBroken = true;
    if (error.code !== 'EPIPE') say(`the output cannot be written: ${error.message}`);
    this.#options.broken();
  };
  #emptied: (() => void) | null = null;

  constructor(options: OutputWriterOptions) {
    this.#options = options;
    process.stdout.on('error', this.#onError);
    this.#timer = setInterval(() => this.#showLife(), SIGN_OF_LIFE_MS);
  }

  write(output: Output, drawn: () => void): void {
    const stream = output.stream === 'stderr' ? process.stderr : process.stdout;
    const bytes = this.#options.shape(output);
    const piece: Piece = { bytes: bytes.length, drawn, isAcknowledged: false };
    this.#unwritten.push(piece);
    stream.write(bytes, (error) => {
      // Told here first, and there may be an end before it is told again.
      if (error && stream === process.stdout) this.#onError(error);
      this.#hasWritten = true;
      this.#unwritten = this.#unwritten.filter((each) => each !== piece);
      drawn();
      if (this.#unwritten.length === 0) this.#emptied?.();
    });
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Resolves when everything has been written, or nobody reads it. */
  async flushed(): Promise<void> {
    if (this.#unwritten.length === 0 || process.stdout.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#emptied = resolve;
      process.stdout.once('close', resolve);
    });
  }

  stop(): void {
    clearInterval(this.#timer);
    process.stdout.off('error', this.#onError);
  }

  /** Between two signs of life something was written, or one piece is acknowledged ahead of time. */
  #showLife(): void {
    const hasWritten = this.#hasWritten;
    this.#hasWritten = false;
    const kept = this.#unwritten.reduce((sum, piece) => sum + piece.bytes, 0);
    const next = this.#unwritten.find(({ isAcknowledged }) => !isAcknowledged);
    if (hasWritten || !next || kept > KEPT_BYTES) return;
    next.isAcknowledged = true;
    next.drawn();
  }
}
