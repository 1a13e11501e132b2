// Writes a process's output to stdout and stderr, and acknowledges each chunk once it is written, or earlier while the
// reader of stdout is stopped.
import type { Output } from '../../client/exec-client.ts';
import { printNote } from './notes.ts';

/**
 * Interval at which one chunk is acknowledged while the reader of stdout is stopped, since the gateway stops waiting
 * for a client after 10 s without an acknowledgement.
 */
const SIGN_OF_LIFE_MS = 5000;
/** Unwritten bytes above which no chunk is acknowledged before it is written. */
const UNWRITTEN_BYTES = 64 * 1024 * 1024;

interface Piece {
  readonly bytes: number;
  readonly drawn: () => void;
  isAcknowledged: boolean;
}

export interface OutputWriterOptions {
  /** Returns the bytes to write for a chunk. */
  readonly shape: (output: Output) => Uint8Array;
  /** Called once when stdout cannot be written any more, for example because its reader has closed the pipe. */
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
    if (error.code !== 'EPIPE') printNote(`the output cannot be written: ${error.message}`);
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
      // The callback runs before the `error` event, and the command may end in between.
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

  /** Resolves when everything has been written, or stdout is closed. */
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

  /** Acknowledges one chunk early, unless a chunk was written since the last call or UNWRITTEN_BYTES are exceeded. */
  #showLife(): void {
    const hasWritten = this.#hasWritten;
    this.#hasWritten = false;
    const unwrittenBytes = this.#unwritten.reduce((sum, piece) => sum + piece.bytes, 0);
    const next = this.#unwritten.find(({ isAcknowledged }) => !isAcknowledged);
    if (hasWritten || !next || unwrittenBytes > UNWRITTEN_BYTES) return;
    next.isAcknowledged = true;
    next.drawn();
  }
}
