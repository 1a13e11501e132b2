// A process followed by the benchmark's client: counts received output, and output reported as skipped.

/** Listener for output; call `chunk` to decode it. */
export type OutputListener = (bytes: number, chunk: () => Buffer) => void;

type Address = { readonly processId: string } | { readonly key: string };

/** Number of bytes received between acknowledgements: an eighth of the default window. */
const ACK_BYTES = 128 * 1024;

interface FollowedOptions {
  readonly address: Address;
  readonly onOutput?: OutputListener | undefined;
  /** Called to return credit for everything up to this seq; default: none is returned. */
  readonly onAck?: ((seq: number) => void) | undefined;
}

export class Followed {
  readonly address: Address;
  /** Key in the reply to `process/start`; null before the reply, if the reply has none, and for an attached process. */
  key: string | null = null;
  /** Bytes of output before the followed part. */
  offset = 0;
  bytes = 0;
  gapBytes = 0;
  /**
   * Number of missing events, detected by gaps in the seqs; for an attached process, after the first received event.
   */
  missedEvents = 0;
  /** Resolves with the time at which the exit notification arrived, as of `performance.now()`. */
  readonly exited: Promise<number>;
  readonly closed: Promise<number>;
  readonly #onOutput: OutputListener | undefined;
  readonly #onAck: ((seq: number) => void) | undefined;
  #exit: (atMs: number) => void = () => {};
  #close: (atMs: number) => void = () => {};
  #unacknowledged = 0;
  /** Seq expected next; null before the first event of an attached process. */
  #nextSeq: number | null;
  #goal: { readonly bytes: number; readonly resolve: () => void } | null = null;

  constructor({ address, onOutput, onAck }: FollowedOptions) {
    this.address = address;
    this.#nextSeq = 'processId' in address ? 1 : null;
    this.#onOutput = onOutput;
    this.#onAck = onAck;
    this.exited = new Promise((resolve) => (this.#exit = resolve));
    this.closed = new Promise((resolve) => (this.#close = resolve));
  }

  /** Bytes before the followed part, received, or reported as skipped; should equal the output printed. */
  get accounted(): number {
    return this.offset + this.bytes + this.gapBytes;
  }

  /**
   * Resolves once this many bytes have arrived in total. A call that has to wait replaces an earlier one, whose
   * promise then never resolves.
   */
  reached(bytes: number): Promise<void> {
    if (this.bytes >= bytes) return Promise.resolve();
    return new Promise((resolve) => (this.#goal = { bytes, resolve }));
  }

  /** Counts a chunk. Throws if its seq is not higher than the last one: a duplicate's bytes could hide missing ones. */
  output(seq: number, bytes: number, chunk: () => Buffer): void {
    const expected = this.#nextSeq ?? seq;
    if (seq < expected)
      throw new Error(`event ${seq} of a process was repeated or arrived too late: after ${expected - 1}`);
    this.missedEvents += seq - expected;
    this.#nextSeq = seq + 1;
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
