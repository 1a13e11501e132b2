// One process of a session, as its events tell.
import type { ProcessView } from '../keeper/process-view.ts';
import { UnendedSequence } from '../../text/unended-sequence.ts';
import { Collected } from './collected.ts';
import type { Line, ProcessEvents } from './line.ts';

/** A place in the output of a process, up to which it was given. */
export interface Place {
  readonly seq: number;
  /** Decoded bytes up to and with it. */
  readonly offset: number;
  /** Bytes of the next events that an answer has given. */
  readonly skip: number;
  /** The output right before, which may end in a control sequence. */
  readonly before: readonly Buffer[];
}

export interface RunOptions {
  readonly processId: string;
  readonly line: Line;
  readonly find: (key: string) => ProcessView | undefined;
  /** Called after its start, its exit and its end. */
  readonly changed: () => void;
}

export class Run implements ProcessEvents {
  readonly processId: string;
  /** Output that no answer has given. */
  readonly collected = new Collected();
  /** Follows the output that was given, for a terminal's text. */
  readonly sequence = new UnendedSequence();
  seq = 0;
  /** Decoded bytes of all output that has come, or is known to be missing. */
  receivedBytes = 0;
  /** Null until it has started. */
  key: string | null = null;
  exitCode: number | null = null;
  isClosed = false;
  /** False until the answer to its start has come. */
  isDecided = false;
  readonly #options: RunOptions;
  /** Bytes of the next output that an answer of an earlier gateway has given. */
  #skip = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.processId = options.processId;
    options.line.follow(this.processId, this);
  }

  /** The process itself; undefined before its start, and when it is forgotten. */
  get view(): ProcessView | undefined {
    return this.key === null ? undefined : this.#options.find(this.key);
  }

  get isStarted(): boolean {
    return this.key !== null;
  }

  /** Decoded bytes that answers have given. */
  get givenBytes(): number {
    return this.receivedBytes - this.collected.bytes;
  }

  /** Goes on with a process of an earlier gateway; what comes after the place is told again. */
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
    const known = Math.min(this.#skip, bytes.length);
    this.#skip -= known;
    this.collected.add(bytes.subarray(known));
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
    this.collected.missed(Math.max(0, offset - this.receivedBytes));
    this.receivedBytes = offset;
  }
}
