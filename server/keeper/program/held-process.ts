// One process of the keeper: its child, its log, its input, and the gateway that follows it.
import type { Stream } from '../../../protocol/process.ts';
import type { Size } from '../../../protocol/scalars.ts';
import type { Child, ChildExit, ChildSpec } from '../../host/child.ts';
import { spawnChild } from '../../host/spawn.ts';
import { Termination, type Terminating } from '../../host/termination.ts';
import type { RecordType, SegmentRecord } from '../../record/segment-format.ts';
import { decodeSize, encodeExit, encodeSize } from '../../record/segment-payloads.ts';
import { isOutput } from '../../record/segment-format.ts';
import { encodeFrame, HEADER_BYTES, ToGateway } from '../wire/frames.ts';
import type { Line } from '../wire/line.ts';
import {
  outputBytes,
  putOutputHead,
  type Held,
  type Owned,
  type SignalRequest,
  type Spawn,
  type Streams,
} from '../wire/messages.ts';
import { Holders } from './holders.ts';
import { HeldStdin } from './held-stdin.ts';
import { owedShare } from './log-limits.ts';
import { preferAtOutOfMemory } from './out-of-memory.ts';
import { ProcessLog, type LogReader } from './process-log.ts';

/** Output that is queued for the gateway, over all processes; what is beyond waits in the log. */
const QUEUED_BYTES = 256 * 1024;

/** Interval of tries to append to a log that the disk has not taken. */
const APPEND_AGAIN_MS = 1000;

/** Said at the end of the output. */
const NO_STREAMS: Streams = { streams: [], isHeld: false };

/** Time that a write to the disk may take before it is reported. */
const SLOW_MS = 100;

export interface HeldEvents {
  /** It has exited, and its output has ended. */
  readonly over: () => void;
  /** The reason why the disk does not take its output; null when it does again. */
  readonly unwritten: (reason: string | null) => void;
  /** A write to the disk has taken so many ms. */
  readonly slow: (ms: number) => void;
  /** Length of its log on disk: beyond it the oldest is dropped, or, while it is owned, the process held back. */
  readonly mostLogBytes: () => number;
}

export class HeldProcess {
  readonly number: number;
  readonly key: string;
  readonly startedAtMs = Date.now();
  readonly termination: Termination;
  /** The terminate that a gateway has begun, and the keeper goes on with when that is gone. */
  terminating: Terminating | null = null;
  #ranOutAtMs: number | null = null;
  readonly #events: HeldEvents;
  readonly #child: Child;
  readonly #stdin: HeldStdin;
  readonly #log: ProcessLog;
  readonly #lineage: Child['lineage'];
  #exit: ChildExit | null = null;
  #exitedAtMs: number | null = null;
  #hasEnded = false;
  #owned: Owned;
  /** The gateway, from when it follows. */
  #line: Line | null = null;
  /** Reader of what the gateway has not been sent; null while it has been sent everything. */
  #behind: LogReader | null = null;
  #sentOffset = 0;
  #isPaused = false;
  /** Records that the disk has not taken. */
  #unlogged: SegmentRecord[] = [];
  #again: NodeJS.Timeout | null = null;
  readonly #holders: Holders;
  #isFull = false;

  /** Starts it; throws SpawnError, or the error of the disk. */
  constructor(number: number, folder: string, asked: Spawn, spec: ChildSpec, events: HeldEvents) {
    this.number = number;
    this.key = asked.key;
    this.#events = events;
    this.#owned = asked;
    this.#log = new ProcessLog(folder, asked.key, spec.tty);
    try {
      this.#child = spawnChild(spec, {
        onOutput: (stream, bytes) => this.#record(stream, bytes),
        onResized: (size) => this.#record('resize', encodeSize(size)),
        onExit: (exit) => this.#exited(exit),
        onEnd: () => this.#ended(),
      });
    } catch (error) {
      this.#log.remove();
      throw error;
    }
    preferAtOutOfMemory(this.#child.pid);
    this.#lineage = this.#child.lineage;
    this.#stdin = new HeldStdin(this.#child, asked.stdin, (payload) =>
      this.#line?.send(ToGateway.written, number, payload),
    );
    this.termination = new Termination(this.#child, () => {});
    this.#holders = new Holders(this.#child, (streams) =>
      this.#line?.sendJson(ToGateway.streams, number, streams),
    );
  }

  get lingerMs(): number {
    return this.#owned.lingerMs;
  }

  get pid(): number {
    return this.#child.pid;
  }

  get hasExited(): boolean {
    return this.#exit !== null;
  }

  get isOver(): boolean {
    return this.#exit !== null && this.#hasEnded;
  }

  /** True when the gateway has yet to be sent something that may be sent now. */
  get hasMore(): boolean {
    return this.#line !== null && this.#behind !== null && !this.#isPaused;
  }

  describe(): Held {
    const { pid, writable, tty, streams } = this.#child;
    return {
      process: this.number,
      key: this.key,
      child: { pid, writable, tty, streams, lineage: this.#lineage },
      exit: this.#exit,
      exitedAtMs: this.#exitedAtMs,
      hasEnded: this.#hasEnded,
      applied: this.#stdin.applied,
      closedFrom: this.#stdin.closedFrom,
      endOffset: this.#log.endOffset,
      firstOffset: this.#log.firstOffset,
      startedAtMs: this.startedAtMs,
      terminating: this.terminating,
      ranOutAtMs: this.#ranOutAtMs,
    };
  }

  /** Ends it, since no gateway has come back in its time. */
  runOut(graceMs: number): void {
    if (this.isOver) return;
    this.#ranOutAtMs = Date.now();
    if (this.termination.start(graceMs).running) this.terminating = this.termination.inProgress;
  }

  /** From now on the gateway is sent everything from `offset` on. */
  follow(line: Line, offset: number): void {
    this.#line = line;
    this.#sentOffset = offset;
    this.#behind = offset === this.#log.endOffset && !this.#hasEnded ? null : this.#log.readerFrom(offset);
    if (this.#exit) {
      // It may have exited since the gateway was welcomed, when there was nobody to tell.
      line.sendJson(ToGateway.exit, this.number, { exit: this.#exit, ...this.#holders.now() });
      if (!this.#hasEnded) this.#holders.watch();
    }
    this.makeRoom();
  }

  /** The gateway is gone: nothing waits for it. */
  unfollow(): void {
    this.#line = null;
    this.#behind = null;
    this.resume();
  }

  setOwned(owned: Owned): void {
    this.#owned = owned;
    this.makeRoom();
  }

  pause(): void {
    this.#isPaused = true;
    this.#child.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isFull && this.#unlogged.length === 0) this.#child.resume();
  }

  input(seq: number, bytes: Buffer): void {
    this.#stdin.write(seq, bytes);
  }

  endInput(): void {
    this.#stdin.end();
  }

  resize(size: Size): void {
    // One that has ended has no terminal; the size still counts for whoever draws it.
    if (this.#hasEnded) this.#record('resize', encodeSize(size));
    else this.#child.resize(size);
  }

  /** The pid of a process that has been reaped may be another's by now. */
  signal({ group, signal }: SignalRequest): void {
    if (!this.#exit) this.#child.signalGroup(group, signal);
  }

  abandon(): void {
    this.#child.abandon();
  }

  /** Removes its log. */
  forget(): void {
    this.#stopTimers();
    this.termination.dispose();
    this.#log.remove();
  }

  /** Sends the next record of what the gateway has yet to be sent; false when it has been sent everything. */
  sendNext(): boolean {
    const record = this.#behind?.next() ?? null;
    if (record === null) {
      this.#behind = null;
      return false;
    }
    this.#send(record);
    this.makeRoom();
    return true;
  }

  #record(type: RecordType, payload: Buffer): void {
    const record = { type, atMs: Date.now(), offset: this.#log.endOffset, payload };
    if (this.#unlogged.length > 0) {
      this.#unlogged.push({ ...record, payload: Buffer.from(payload) });
      return;
    }
    const reason = this.#append(record);
    if (reason !== null) {
      this.#unlogged.push({ ...record, payload: Buffer.from(payload) });
      this.#child.pause();
      this.#events.unwritten(reason);
      this.#again = setTimeout(() => this.#appendAgain(), APPEND_AGAIN_MS);
    }
  }

  /** Appends to the log first, and then tells the gateway. Returns the reason why the disk has not taken it. */
  #append({ type, atMs, payload }: SegmentRecord): string | null {
    const { place, endOffset } = this.#log;
    const beganAtMs = performance.now();
    try {
      this.#log.append(type, atMs, payload);
    } catch (error) {
      return `The output of processes cannot be written to the disk, so they are held back: ${(error as Error).message}`;
    }
    const tookMs = performance.now() - beganAtMs;
    if (tookMs > SLOW_MS) this.#events.slow(tookMs);
    if (type === 'resize') {
      const size = decodeSize(payload);
      if (size) this.#log.resized(size);
    }
    if (this.#line && !this.#behind) {
      if (this.#isPaused || this.#line.queuedBytes > QUEUED_BYTES) this.#behind = this.#log.readerAt(place);
      else this.#send({ type, atMs, offset: endOffset, payload });
    }
    this.makeRoom();
    return null;
  }

  #appendAgain(): void {
    this.#again = null;
    for (let first = this.#unlogged[0]; first; first = this.#unlogged[0]) {
      if (this.#append(first) !== null) {
        this.#again = setTimeout(() => this.#appendAgain(), APPEND_AGAIN_MS);
        return;
      }
      this.#unlogged.shift();
    }
    this.#events.unwritten(null);
    if (!this.#isPaused && !this.#isFull) this.#child.resume();
  }

  #send({ type, atMs, offset, payload }: SegmentRecord): void {
    const line = this.#line;
    if (!line) return;
    if (isOutput(type)) {
      // Some of it was sent to the gateway before.
      const known = Math.max(0, this.#sentOffset - offset);
      if (known >= payload.length) return;
      this.#sendOutput(line, type, { atMs, offset: offset + known, payload: payload.subarray(known) });
      this.#sentOffset = offset + payload.length;
    } else if (type === 'resize' && offset >= this.#sentOffset) {
      const size = decodeSize(payload);
      if (size) line.sendJson(ToGateway.resized, this.number, { ...size, offset });
    } else if (type === 'end') line.send(ToGateway.end, this.number);
  }

  #sendOutput(
    line: Line,
    stream: Stream,
    { atMs, offset, payload }: Pick<SegmentRecord, 'atMs' | 'offset' | 'payload'>,
  ): void {
    const frame = encodeFrame(ToGateway.output, this.number, outputBytes(payload.length));
    payload.copy(frame, putOutputHead(frame, HEADER_BYTES, { offset, stream, atMs }));
    line.write(frame);
  }

  #exited(exit: ChildExit): void {
    this.#exit = exit;
    this.#exitedAtMs = Date.now();
    this.#stdin.exited();
    this.termination.leaderExited();
    this.#record('exit', encodeExit({ ...exit, sandboxDenied: false }));
    this.#line?.sendJson(ToGateway.exit, this.number, { exit, ...this.#holders.now() });
    if (!this.#hasEnded) this.#holders.watch();
    if (this.isOver) this.#events.over();
  }

  #ended(): void {
    this.#hasEnded = true;
    this.#record('end', Buffer.alloc(0));
    this.#line?.sendJson(ToGateway.streams, this.number, NO_STREAMS);
    this.#holders.stop();
    if (this.isOver) this.#events.over();
  }

  /** Drops what is beyond the limit, or holds the process back while its owner has yet to get it. */
  makeRoom(): void {
    const most = this.#events.mostLogBytes();
    // Output that a gateway was sent may not have reached its owner when it is killed.
    const neededFrom = this.#owned.isOwned || this.#behind ? this.#sentOffset - owedShare(most) : Infinity;
    while (this.#log.bytes > most && this.#log.dropBefore(neededFrom));
    const isFull = this.#log.bytes > most && this.#owned.isOwned;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    if (isFull) this.#child.pause();
    else if (!this.#isPaused && this.#unlogged.length === 0) this.#child.resume();
  }

  #stopTimers(): void {
    if (this.#again) clearTimeout(this.#again);
    this.#again = null;
    this.#holders.stop();
  }
}
