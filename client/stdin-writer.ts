// Writes to one process's stdin: numbered, in order, repeated after a resume, and bounded.
import type { WriteResult } from '../protocol/process.ts';
import { ErrorCode } from '../protocol/jsonrpc.ts';
import { concat, toBase64 } from './bytes.ts';
import { RequestError, type WriteOutcome } from './exec-client.ts';
import type { Reply, RpcClient } from './rpc-client.ts';
import { readStatus } from './wire.ts';

/** Maximum number of unanswered requests per process; further writes are combined and sent later. */
const IN_FLIGHT = 32;
/** Maximum bytes per request, small enough not to delay other requests noticeably. */
const REQUEST_BYTES = 64 * 1024;
/** Maximum number of bytes per process that wait to be sent; a write beyond it is rejected. */
export const WAITING_BYTES = 16 * 1024 * 1024;

interface Settler {
  resolve(outcome: WriteOutcome): void;
  reject(error: Error): void;
}
type Piece =
  ({ readonly kind: 'bytes'; readonly bytes: Uint8Array } & Settler) | ({ readonly kind: 'end' } & Settler);

/** A sent, unanswered request. The end of stdin has no writeId, so it is not repeated. */
interface Sent {
  readonly writeId: string | null;
  readonly chunk: string;
  readonly pieces: readonly Piece[];
}

/** Address of a stdin: by key for any process, by id for one of the caller's session. */
export type StdinAddress = { readonly key: string } | { readonly processId: string };

export class StdinWriter {
  readonly #address: StdinAddress;
  #rpc: RpcClient | null = null;
  #lastWriteId: number;
  #sent: readonly Sent[] = [];
  #waiting: Piece[] = [];
  #waitingBytes = 0;

  /**
   * `lastWriteId`: id of the last write by an earlier writer in the same session; the server ignores ids that it has
   * already received.
   */
  constructor(address: StdinAddress, lastWriteId = 0) {
    this.#address = address;
    this.#lastWriteId = lastWriteId;
  }

  get lastWriteId(): number {
    return this.#lastWriteId;
  }

  /** True when the result of every write is known. */
  get isIdle(): boolean {
    return this.#sent.length === 0 && this.#waiting.length === 0;
  }

  write(bytes: Uint8Array): Promise<WriteOutcome> {
    if (this.#waitingBytes + bytes.length > WAITING_BYTES) {
      return Promise.reject(
        new Error(
          `at most ${WAITING_BYTES / 2 ** 20} MiB of input can be queued for process ${Object.values(this.#address).join()}; wait for earlier writes, or write less at once`,
        ),
      );
    }
    const copy = bytes.slice();
    const parts: Promise<WriteOutcome>[] = [];
    for (let at = 0; at === 0 || at < copy.length; at += REQUEST_BYTES) {
      const part = copy.subarray(at, at + REQUEST_BYTES);
      parts.push(this.#enqueue((settler) => ({ kind: 'bytes', bytes: part, ...settler })));
    }
    this.#pump();
    return Promise.all(parts).then((outcomes) => outcomes.find((each) => each !== 'accepted') ?? 'accepted');
  }

  closeStdin(): Promise<WriteOutcome> {
    const closed = this.#enqueue((settler) => ({ kind: 'end', ...settler }));
    this.#pump();
    return closed;
  }

  /**
   * Continues on a new connection. `isResumed`: unanswered writes are repeated, and ignored by the server if
   * already applied; otherwise all unfinished writes resolve as in doubt.
   */
  online(rpc: RpcClient, isResumed: boolean): void {
    if (!isResumed) this.abandon();
    this.#rpc = rpc;
    for (const sent of this.#sent) this.#request(rpc, sent);
    this.#pump();
  }

  offline(): void {
    this.#rpc = null;
    const ends = this.#sent.filter(({ writeId }) => writeId === null);
    for (const end of ends) this.#settle(end, (piece) => piece.resolve('inDoubt'));
  }

  /** Resolves all unfinished writes as in doubt, since the session is lost and nothing can be repeated. */
  abandon(): void {
    const pieces = [...this.#sent.flatMap((sent) => sent.pieces), ...this.#waiting];
    this.#sent = [];
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const piece of pieces) piece.resolve('inDoubt');
  }

  #enqueue(piece: (settler: Settler) => Piece): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      const queued = piece({ resolve, reject });
      this.#waiting.push(queued);
      this.#waitingBytes += sizeOf(queued);
    });
  }

  #pump(): void {
    while (this.#rpc && this.#waiting.length > 0 && this.#sent.length < IN_FLIGHT) {
      const sent = this.#next();
      this.#sent = [...this.#sent, sent];
      this.#request(this.#rpc, sent);
    }
  }

  /** Combines as many waiting pieces as fit into one request; the end of stdin is a request of its own. */
  #next(): Sent {
    const bytes: Uint8Array[] = [];
    const pieces: Piece[] = [];
    let size = 0;
    for (const piece of this.#waiting) {
      if (pieces.length > 0 && (piece.kind === 'end' || size + sizeOf(piece) > REQUEST_BYTES)) break;
      pieces.push(piece);
      if (piece.kind === 'end') break;
      bytes.push(piece.bytes);
      size += piece.bytes.length;
    }
    this.#waiting = this.#waiting.slice(pieces.length);
    this.#waitingBytes -= size;
    if (bytes.length === 0) return { writeId: null, chunk: '', pieces };
    this.#lastWriteId += 1;
    return { writeId: String(this.#lastWriteId), chunk: toBase64(concat(bytes)), pieces };
  }

  #request(rpc: RpcClient, sent: Sent): void {
    const { writeId, chunk } = sent;
    const settle = (reply: Reply): void => this.#answered(sent, reply);
    if (writeId === null) rpc.request('process/closeStdin', this.#address, settle);
    else rpc.request('process/write', { ...this.#address, chunk, writeId }, settle);
  }

  #answered(sent: Sent, reply: Reply): void {
    // A lost write stays in `#sent` for the next connection; a lost end of stdin was settled by `offline`.
    if (reply.kind === 'lost' || !this.#sent.includes(sent)) return;
    if (reply.kind === 'error') {
      const { code, message } = reply.error;
      const method = sent.writeId === null ? 'process/closeStdin' : 'process/write';
      const error = new RequestError(method, code, message);
      this.#settle(sent, (piece) => {
        if (code === ErrorCode.unknownKey) piece.resolve('unknownProcess');
        else piece.reject(error);
      });
    } else {
      const outcome = outcomeOf(readStatus(reply.result));
      this.#settle(sent, (piece) => piece.resolve(outcome));
    }
    this.#pump();
  }

  #settle(sent: Sent, settle: (piece: Piece) => void): void {
    this.#sent = this.#sent.filter((each) => each !== sent);
    sent.pieces.forEach(settle);
  }
}

const sizeOf = (piece: Piece): number => (piece.kind === 'bytes' ? piece.bytes.length : 0);

/**
 * Maps a write's status to its outcome: a process still starting counts as unknown, a missing status as in
 * doubt.
 */
function outcomeOf(status: WriteResult['status'] | null): WriteOutcome {
  if (status === null) return 'inDoubt';
  return status === 'starting' ? 'unknownProcess' : status;
}
