// Tracks one process of a session by its events.
import type { ProcessView } from '../keeper/process-view.ts';
import { UnendedSequence } from '../../text/unended-sequence.ts';
import { Collected } from './collected.ts';
import type { Line, ProcessEvents } from './line.ts';

/** Place up to which answers have returned the output of a process. */
export interface Place {
  readonly seq: number;
  /** Decoded bytes up to the end of the event `seq`. */
  readonly offset: number;
  /** Bytes after the event `seq` that an answer has already returned. */
  readonly skip: number;
  /** Output of the last events up to the place; it may end in an unfinished control sequence. */
  readonly before: readonly Buffer[];
}

export interface RunOptions {
  readonly processId: string;
  readonly line: Line;
  readonly find: (key: string) => ProcessView | undefined;
  /** Called when the start has been answered, and after the exit, the close or the loss of the process. */
  readonly changed: () => void;
}

export class Run implements ProcessEvents {
  readonly processId: string;
  /** Output that no answer has returned. */
  readonly collected = new Collected();
  /** Tracks the unfinished control sequence at the end of returned output, which a terminal's next output continues. */
  readonly sequence = new UnendedSequence();
  seq = 0;
  /** Decoded bytes of all output that has arrived, or is known to be missing. */
  receivedBytes = 0;
  /** Key of the process; null until it has started. */
  key: string | null = null;
  exitCode: number | null = null;
  isClosed = false;
  /** False until the start has been answered. */
  isDecided = false;
  readonly #options: RunOptions;
  /** Bytes of the next output that an answer of an earlier gateway has returned. */
  #skip = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.processId = options.processId;
    options.line.follow(this.processId, this);
  }

  /** The process itself; undefined before its start, and when it was removed. */
  get view(): ProcessView | undefined {
    return this.key === null ? undefined : this.#options.find(this.key);
  }

  get isStarted(): boolean {
    return this.key !== null;
  }

  /** Decoded bytes that answers have returned, including those that have not arrived again yet. */
  get givenBytes(): number {
    return this.receivedBytes + this.#skip - this.collected.bytes;
  }

  /** Continues with a process of an earlier gateway; events after the place are replayed. */
  goOn({ key }: ProcessView, { seq, offset, skip, before }: Place): void {
    this.key = key;
    this.isDecided = true;
    this.seq = seq;
    this.receivedBytes = offset;
    this.#skip = skip;
    for (const bytes of before) this.sequence.take(bytes);
  }

  started(key: string): void {
    this.key = key;
    this.isDecided = true;
    this.#options.changed();
  }

  notStarted(): void {
    this.isDecided = true;
    this.#options.line.forget(this.processId);
    this.#options.changed();
  }

  output(seq: number, bytes: Buffer): void {
    if (seq !== this.seq + 1) this.#countMissed(seq);
    this.seq = seq;
    this.receivedBytes += bytes.length;
    this.collected.add(bytes.subarray(this.#known(bytes.length)));
  }

  exited(seq: number, exitCode: number): void {
    this.seq = seq;
    this.exitCode = exitCode;
    this.#options.changed();
  }

  closed(seq: number): void {
    this.seq = seq;
    this.isClosed = true;
    this.#options.line.forget(this.processId);
    this.#options.changed();
  }

  lost(): void {
    this.exitCode ??= this.view?.exit?.code ?? 128 + 9;
    this.isClosed = true;
    this.#options.changed();
  }

  #countMissed(seq: number): void {
    const offset = this.view?.log.at(seq)?.offset ?? this.receivedBytes;
    const missed = Math.max(0, offset - this.receivedBytes);
    this.collected.missed(missed - this.#known(missed));
    this.receivedBytes = offset;
  }

  /** Returns how many of the next `bytes` an answer of an earlier gateway has returned. */
  #known(bytes: number): number {
    const known = Math.min(this.#skip, bytes);
    this.#skip -= known;
    return known;
  }
}
