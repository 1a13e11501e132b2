// One process as a client of the bench sees it: what came of it, and what it was told that will not come.

/** `chunk` decodes, for who wants more than to count. */
export type OutputListener = (bytes: number, chunk: () => Buffer) => void;

type Address = { readonly processId: string } | { readonly key: string };

/** Drawn but not yet acknowledged; a page does it about as often. */
const ACK_BYTES = 128 * 1024;

interface FollowedOptions {
  readonly address: Address;
  readonly onOutput?: OutputListener | undefined;
  /** Gives credit for everything up to this seq. */
  readonly onAck?: ((seq: number) => void) | undefined;
}

export class Followed {
  readonly address: Address;
  /** The gateway's name for it; null where there is none. */
  key: string | null = null;
  /** Output before what is followed. */
  offset = 0;
  bytes = 0;
  /** Said to be missing. */
  gapBytes = 0;
  /** Events that were never told, by the numbers of those that were. */
  missedEvents = 0;
  /** When it was reaped, on this process's clock. */
  readonly exited: Promise<number>;
  readonly closed: Promise<number>;
  readonly #onOutput: OutputListener | undefined;
  readonly #onAck: ((seq: number) => void) | undefined;
  #exit: (atMs: number) => void = () => {};
  #close: (atMs: number) => void = () => {};
  #unacknowledged = 0;
  #lastSeq = 0;
  #goal: { readonly bytes: number; readonly resolve: () => void } | null = null;

  constructor({ address, onOutput, onAck }: FollowedOptions) {
    this.address = address;
    this.#onOutput = onOutput;
    this.#onAck = onAck;
    this.exited = new Promise((resolve) => (this.#exit = resolve));
    this.closed = new Promise((resolve) => (this.#close = resolve));
  }

  /** Everything of it that this follower knows of: what it should come to is what was printed. */
  get accounted(): number {
    return this.offset + this.bytes + this.gapBytes;
  }

  /** Resolves when so many bytes have come. */
  reached(bytes: number): Promise<void> {
    return new Promise((resolve) => (this.#goal = { bytes, resolve }));
  }

  /** Throws when it was told before: what is told twice would hide what is not told. */
  output(seq: number, bytes: number, chunk: () => Buffer): void {
    if (seq <= this.#lastSeq)
      throw new Error(`event ${seq} of a process came again, or too late: after ${this.#lastSeq}`);
    if (this.#lastSeq > 0) this.missedEvents += seq - this.#lastSeq - 1;
    this.#lastSeq = seq;
    this.bytes += bytes;
    if (this.#goal && this.bytes >= this.#goal.bytes) this.#goal.resolve();
    this.#unacknowledged += bytes;
    this.#onOutput?.(bytes, chunk);
    if (this.#unacknowledged < ACK_BYTES) return;
    this.#unacknowledged = 0;
    this.#onAck?.(seq);
  }

  event(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === 'process/gap') this.gapBytes += Number(params['bytes']);
    else if (method === 'process/exited') this.#exit(performance.now());
    else if (method === 'process/closed') this.#close(performance.now());
  }
}
