// One process of the keeper: its child, log and input, and the gateway that follows it.
import type { Size } from '../../../protocol/scalars.ts';
import type { ChildEvents, ChildExit, ChildSpec, OwnChild } from '../../host/child.ts';
import { resumedChild } from '../../host/resumed-child.ts';
import { spawnChild } from '../../host/spawn.ts';
import { Termination, type Terminating } from '../../host/termination.ts';
import type { RecordType } from '../../record/segment-format.ts';
import { encodeCount, encodeExit, encodeSize } from '../../record/segment-payloads.ts';
import { ToGateway } from '../wire/frames.ts';
import type { Line } from '../wire/line.ts';
import type { Exit, Held, Owned, SignalRequest, Spawn, Streams } from '../wire/messages.ts';
import { GatewayFeed } from './gateway-feed.ts';
import { Holders } from './holders.ts';
import { HeldStdin } from './held-stdin.ts';
import { preferAtOutOfMemory } from './out-of-memory.ts';
import { NOT_OVER, type Course, type PassedProcess } from './passed.ts';
import { ProcessLog } from './process-log.ts';
import { Recorder, type RecorderEvents } from './recorder.ts';
import { Retention } from './retention.ts';

const NO_STREAMS: Streams = { streams: [], isHeld: false };

export interface HeldEvents extends RecorderEvents {
  /** Called when the process has exited and its output has ended. */
  readonly over: () => void;
  /** Returns the limit on the size of the log, in bytes. */
  readonly mostLogBytes: () => number;
}

interface Parts {
  readonly number: number;
  readonly key: string;
  readonly owned: Owned;
  readonly limits: Spawn['stdin'];
  readonly log: ProcessLog;
  readonly begin: (events: ChildEvents) => OwnChild;
  readonly course: Course;
}

export class HeldProcess {
  readonly number: number;
  readonly key: string;
  readonly startedAtMs: number;
  readonly termination: Termination;
  /**
   * Newest termination, by a gateway or the keeper; null before the first. The keeper continues it without a gateway.
   */
  terminating: Terminating | null;
  #ranOutAtMs: number | null;
  readonly #events: HeldEvents;
  readonly #child: OwnChild;
  readonly #limits: Spawn['stdin'];
  readonly #stdin: HeldStdin;
  readonly #log: ProcessLog;
  readonly #feed: GatewayFeed;
  readonly #recorder: Recorder;
  #exit: ChildExit | null;
  #exitedAtMs: number | null;
  #hasEnded: boolean;
  readonly #retention: Retention;
  readonly #holders: Holders;
  #isHandingOver = false;

  private constructor(parts: Parts, events: HeldEvents) {
    const { number, key, owned, limits, log, begin, course } = parts;
    this.number = number;
    this.key = key;
    this.startedAtMs = course.startedAtMs;
    this.terminating = course.terminating;
    this.#ranOutAtMs = course.ranOutAtMs;
    this.#exit = course.exit;
    this.#exitedAtMs = course.exitedAtMs;
    this.#hasEnded = course.hasEnded;
    this.#events = events;
    this.#limits = limits;
    this.#log = log;
    this.#feed = new GatewayFeed(number, log);
    this.#retention = new Retention(log, this.#feed, owned);
    this.#recorder = new Recorder(log, this.#feed, {
      ...events,
      unwritten: (reason) => {
        this.makeRoom();
        this.#flow();
        events.unwritten(reason);
      },
    });
    this.#child = begin({
      onOutput: (stream, bytes) => this.#record(stream, bytes),
      onResized: (size) => this.#record('resize', encodeSize(size)),
      onExit: (exit) => this.#exited(exit),
      onEnd: () => this.#ended(),
    });
    this.#stdin = new HeldStdin(this.#child, limits, (payload) =>
      this.#feed.send(ToGateway.written, payload),
    );
    this.termination = new Termination(this.#child, () => {
      this.terminating = this.termination.newest ?? this.terminating;
    });
    this.#holders = new Holders(this.#child, (streams) => this.#feed.sendJson(ToGateway.streams, streams));
  }

  /** Starts a process; throws SpawnError, or the file system's error when its log cannot be created. */
  static start(
    number: number,
    folder: string,
    asked: Spawn,
    spec: ChildSpec,
    events: HeldEvents,
  ): HeldProcess {
    const { key, stdin: limits, lingerMs, isOwned } = asked;
    const log = ProcessLog.create(folder, key, spec.tty);
    try {
      const begin = (childEvents: ChildEvents): OwnChild => spawnChild(spec, childEvents);
      const course = { ...NOT_OVER, startedAtMs: Date.now() };
      const owned = { lingerMs, isOwned };
      const held = new HeldProcess({ number, key, owned, limits, log, begin, course }, events);
      preferAtOutOfMemory(held.pid);
      return held;
    } catch (error) {
      log.remove();
      throw error;
    }
  }

  /** Resumes a process of the previous program; throws when the process's log or one of its descriptors is missing. */
  static resume(folder: string, passed: PassedProcess, events: HeldEvents): HeldProcess {
    const { state, queued, waiting, unlogged } = passed;
    const log = ProcessLog.resume(folder, state.key, state.log);
    const begin = (childEvents: ChildEvents): OwnChild =>
      resumedChild(state.child, state.exit !== null, childEvents);
    const held = new HeldProcess({ ...state, log, begin, course: state }, events);
    if (state.exitedAtMs !== null) held.termination.leaderExited(state.exitedAtMs);
    held.#stdin.takeOver(state.stdin, queued, waiting);
    if (held.hasExited) held.#stdin.exited();
    held.#recorder.takeOver(unlogged);
    held.makeRoom();
    return held;
  }

  get lingerMs(): number {
    return this.#retention.owned.lingerMs;
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

  /** True when unsent records may be sent now. */
  get hasMore(): boolean {
    return this.#feed.hasMore;
  }

  describe(): Held {
    const { pid, writable, tty, streams, lineage } = this.#child;
    return {
      process: this.number,
      key: this.key,
      child: { pid, writable, tty, streams, lineage },
      ...this.#course,
      applied: this.#stdin.applied,
      closedFrom: this.#stdin.closedFrom,
      endOffset: this.#log.endOffset,
      firstOffset: this.#log.firstOffset,
      size: this.#log.size,
    };
  }

  /** Pauses reading of the output for a handover; false ends this pause. */
  setHandingOver(isHandingOver: boolean): void {
    this.#isHandingOver = isHandingOver;
    this.#flow();
  }

  /** Returns the state for the next program, valid in this turn of the event loop; null while bytes are in flight. */
  handOver(): PassedProcess | null {
    const passed = this.#child.handOver();
    if (!passed) return null;
    const { number, key } = this;
    const child = passed.state;
    const endsThen = this.#stdin.state.endsThen || child.endsInput;
    return {
      state: {
        number,
        key,
        ...this.#course,
        owned: this.#retention.owned,
        limits: this.#limits,
        log: this.#log.state,
        child,
        stdin: { ...this.#stdin.state, endsThen },
      },
      queued: passed.queued,
      waiting: this.#stdin.waiting,
      unlogged: this.#recorder.unlogged,
    };
  }

  /** Terminates the process because no gateway came back in time, unless it has exited and its output has ended. */
  runOut(graceMs: number): void {
    if (this.isOver) return;
    this.#ranOutAtMs = Date.now();
    // The log has this record even if the keeper ends before a gateway comes back.
    this.#record('ranOut', encodeCount(this.#ranOutAtMs));
    this.termination.start(graceMs);
  }

  /** Handles a new gateway, which takes over any termination, reads the log on disk, and then follows the process. */
  joined(): void {
    this.termination.dispose();
    this.#retention.isBeingRead = true;
  }

  /** Starts to send everything from `offset` on to the gateway. */
  follow(line: Line, offset: number): void {
    this.#retention.isBeingRead = false;
    this.#feed.follow(line, offset, this.#hasEnded);
    // The exit may have happened after the welcome, which then does not contain it.
    if (this.#exit) this.#sendExit(this.#exit);
    this.makeRoom();
  }

  /** Stops sending to the gateway, which no longer pauses the process. */
  unfollow(): void {
    this.#feed.unfollow();
    this.#retention.isBeingRead = false;
    this.makeRoom();
    this.#flow();
  }

  setOwned(owned: Owned): void {
    this.#retention.owned = owned;
    this.makeRoom();
  }

  pause(): void {
    this.#feed.pause();
    this.#flow();
  }

  resume(): void {
    this.#feed.isPaused = false;
    this.#flow();
  }

  input(seq: number, bytes: Buffer): void {
    this.#stdin.write(seq, bytes);
  }

  endInput(): void {
    this.#stdin.end();
  }

  resize(size: Size): void {
    // An ended process has no terminal, but its screen is still drawn with the new size.
    if (this.#hasEnded) this.#record('resize', encodeSize(size));
    else this.#child.resize(size);
  }

  /** Signals a process group, unless the process was reaped: its PID may have been reused. */
  signal({ group, signal }: SignalRequest): void {
    if (!this.#exit) this.#child.signalGroup(group, signal);
  }

  abandon(): void {
    this.#child.abandon();
  }

  /** Stops all timers and removes the log. */
  forget(): void {
    this.#recorder.stop();
    this.#holders.stop();
    this.termination.dispose();
    this.#log.remove();
  }

  /** Sends the next unsent record; returns false when all have been sent. */
  sendNext(): boolean {
    const isSent = this.#feed.sendNext();
    this.makeRoom();
    return isSent;
  }

  get #course(): Course {
    return {
      startedAtMs: this.startedAtMs,
      terminating: this.terminating,
      ranOutAtMs: this.#ranOutAtMs,
      exit: this.#exit,
      exitedAtMs: this.#exitedAtMs,
      hasEnded: this.#hasEnded,
    };
  }

  #record(type: RecordType, payload: Buffer): void {
    this.#recorder.record(type, payload);
    this.makeRoom();
  }

  #exited(exit: ChildExit): void {
    this.#exit = exit;
    this.#exitedAtMs = Date.now();
    this.#stdin.exited();
    this.termination.leaderExited();
    this.#record('exit', encodeExit({ ...exit, sandboxDenied: false }));
    this.#sendExit(exit);
    if (this.isOver) this.#events.over();
  }

  #sendExit(exit: ChildExit): void {
    const exitedAtMs = this.#exitedAtMs;
    this.#feed.exited(() => {
      this.#feed.sendJson(ToGateway.exit, { exit, exitedAtMs, ...this.#holders.now() } satisfies Exit);
      if (!this.#hasEnded) this.#holders.watch();
    });
  }

  #ended(): void {
    this.#hasEnded = true;
    this.#record('end', Buffer.alloc(0));
    this.#feed.sendJson(ToGateway.streams, NO_STREAMS);
    this.#holders.stop();
    if (this.isOver) this.#events.over();
  }

  /**
   * Evicts old segments when the log exceeds its limit; pauses the process while the log is full or the gateway lags.
   */
  makeRoom(): void {
    const wasHeldBack = this.#retention.isHeldBack;
    this.#retention.makeRoom(this.#events.mostLogBytes());
    if (this.#retention.isHeldBack !== wasHeldBack) this.#flow();
  }

  #flow(): void {
    const hasUnlogged = this.#recorder.unlogged.length > 0;
    const isHeldBack = this.#feed.isPaused || this.#retention.isHeldBack;
    if (isHeldBack || this.#isHandingOver || hasUnlogged) this.#child.pause();
    else this.#child.resume();
  }
}
