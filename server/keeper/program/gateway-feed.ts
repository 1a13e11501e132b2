// Sends the output, sizes and end of one process to the gateway, directly or from the log when the gateway is behind.
import type { Stream } from '../../../protocol/process.ts';
import { isOutput, type SegmentRecord } from '../../record/segment-format.ts';
import { decodeSize } from '../../record/segment-payloads.ts';
import { encodeFrame, HEADER_BYTES, ToGateway } from '../wire/frames.ts';
import type { Line } from '../wire/line.ts';
import { outputBytes, putOutputHead } from '../wire/messages.ts';
import type { LogReader, Place, ProcessLog } from './process-log.ts';

/** Maximum output queued for the gateway, over all processes; further output stays in the log. */
export const QUEUED_BYTES = 256 * 1024;

export class GatewayFeed {
  readonly #number: number;
  readonly #log: ProcessLog;
  /** Connection of the gateway that follows the process. */
  #line: Line | null = null;
  /** Reader of the records not sent yet; null when all have been sent, and without a gateway. */
  #behind: LogReader | null = null;
  #sentOffset = 0;
  /** True while the gateway has paused this process. */
  isPaused = false;
  /** Sends the exit of the process; null when none is due. */
  #sendExit: (() => void) | null = null;

  constructor(number: number, log: ProcessLog) {
    this.#number = number;
    this.#log = log;
  }

  /** Offset up to which output has been sent. */
  get sentOffset(): number {
    return this.#sentOffset;
  }

  get isBehind(): boolean {
    return this.#behind !== null;
  }

  /** Bytes of output not sent to the gateway yet; 0 without a gateway. */
  get unsentBytes(): number {
    return this.#behind ? this.#log.endOffset - this.#sentOffset : 0;
  }

  /** True when unsent records may be sent now. */
  get hasMore(): boolean {
    return this.#line !== null && this.#behind !== null && !this.isPaused;
  }

  /** Starts to send everything from `offset` on; `hasEnded` is true when the log has the end of the output. */
  follow(line: Line, offset: number, hasEnded: boolean): void {
    this.#line = line;
    this.#sentOffset = offset;
    this.#behind = offset === this.#log.endOffset && !hasEnded ? null : this.#log.readerFrom(offset);
  }

  unfollow(): void {
    this.#line = null;
    this.#behind = null;
    this.isPaused = false;
    this.#sendExit = null;
  }

  pause(): void {
    this.isPaused = true;
    this.#sendDueExit();
  }

  /**
   * Calls `send` when the output before the exit has been sent; at once while the gateway has paused the process, since
   * a pause must not delay the exit.
   */
  exited(send: () => void): void {
    this.#sendExit = send;
    this.#sendDueExit();
  }

  send(type: number, payload: Uint8Array): void {
    this.#line?.send(type, this.#number, payload);
  }

  sendJson(type: number, value: unknown): void {
    this.#line?.sendJson(type, this.#number, value);
  }

  /** Sends a record that was just appended to the log at `place`, or leaves it to `sendNext`. */
  appended(record: SegmentRecord, place: Place): void {
    if (!this.#line || this.#behind) return;
    if (this.isPaused || this.#line.queuedBytes > QUEUED_BYTES) this.#behind = this.#log.readerAt(place);
    else this.#sendRecord(this.#line, record);
  }

  /** Sends the next record from the log; returns false when all have been sent. */
  sendNext(): boolean {
    const record = this.#behind?.next() ?? null;
    if (record === null) this.#behind = null;
    else if (this.#line) this.#sendRecord(this.#line, record);
    // An exit whose record could not be written is sent at the end of the log.
    if (record === null || record.type === 'exit') this.#sendNow();
    return record !== null;
  }

  #sendDueExit(): void {
    if (!this.hasMore) this.#sendNow();
  }

  #sendNow(): void {
    const send = this.#sendExit;
    this.#sendExit = null;
    send?.();
  }

  #sendRecord(line: Line, { type, atMs, offset, payload }: SegmentRecord): void {
    if (isOutput(type)) {
      // The gateway may already have the first bytes of this record.
      const known = Math.max(0, this.#sentOffset - offset);
      if (known >= payload.length) return;
      this.#sendOutput(line, type, { atMs, offset: offset + known, payload: payload.subarray(known) });
      this.#sentOffset = offset + payload.length;
    } else if (type === 'resize' && offset >= this.#sentOffset) {
      const size = decodeSize(payload);
      if (size) line.sendJson(ToGateway.resized, this.#number, { ...size, offset });
    } else if (type === 'end') line.send(ToGateway.end, this.#number);
  }

  #sendOutput(
    line: Line,
    stream: Stream,
    { atMs, offset, payload }: Pick<SegmentRecord, 'atMs' | 'offset' | 'payload'>,
  ): void {
    const frame = encodeFrame(ToGateway.output, this.#number, outputBytes(payload.length));
    payload.copy(frame, putOutputHead(frame, HEADER_BYTES, { offset, stream, atMs }));
    line.write(frame);
  }
}
