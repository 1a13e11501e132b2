// A child that a keeper holds, as the gateway knows it.
import type { Size } from '../../../protocol/scalars.ts';
import type { Child, ChildEvents, ChildExit, InputQueue, WriteOutcome } from '../../host/child.ts';
import type { Lineage } from '../../host/lineage.ts';
import type { Terminating } from '../../host/termination.ts';
import { ToGateway, ToKeeper } from '../wire/frames.ts';
import { parseJson, type Line } from '../wire/line.ts';
import {
  readOutput,
  type Exit,
  type Held,
  type Owned,
  type ResizedFrame,
  type SignalRequest,
  type Streams,
} from '../wire/messages.ts';
import { HeldInput } from './held-input.ts';

export class HeldChild implements Child {
  readonly number: number;
  readonly key: string;
  readonly startedAtMs: number;
  readonly pid: number;
  readonly writable: boolean;
  readonly tty: boolean;
  readonly lineage: Lineage;
  readonly input: InputQueue;
  readonly #held: Held;
  readonly #line: Line;
  readonly #input: HeldInput;
  #streams: readonly string[];
  #isHeld = true;
  #hasExited = false;
  #afterExit: () => void = () => {};
  #events: ChildEvents | null = null;
  /** Events that came before there was a listener. */
  #early: (() => void)[] = [];

  constructor(line: Line, held: Held) {
    const { pid, writable, tty, lineage, streams } = held.child;
    this.number = held.process;
    this.key = held.key;
    this.startedAtMs = held.startedAtMs;
    this.pid = pid;
    this.writable = writable;
    this.tty = tty;
    this.lineage = lineage;
    this.#held = held;
    this.#line = line;
    this.#streams = streams;
    this.#input = new HeldInput(line, held);
    this.input = this.#input;
    if (held.exit) this.#exited({ exit: held.exit, streams, isHeld: !held.hasEnded });
  }

  /** False when its keeper is gone. */
  get isReachable(): boolean {
    return this.#line.isOpen;
  }

  /** The keeper's description of it when it was started or found. */
  get held(): Held {
    return this.#held;
  }

  get streams(): readonly string[] {
    return this.#streams;
  }

  get isOutputHeld(): boolean {
    return this.#isHeld;
  }

  /** Calls `events` from now on, first with what has come already. */
  begin(events: ChildEvents): void {
    // The caller is not ready for an event yet.
    queueMicrotask(() => {
      this.#events = events;
      for (const tell of this.#early.splice(0)) tell();
    });
  }

  /** Calls `listener` at its exit, or when it is lost; at once when that has been. */
  onExitOnce(listener: () => void): void {
    if (this.#hasExited) listener();
    else this.#afterExit = listener;
  }

  /** Asks for all output from there on; for one that an earlier gateway has started. */
  followFrom(offset: number): void {
    this.#line.sendJson(ToKeeper.follow, this.number, { offset });
  }

  /** `origins` get the number of each input before it is sent. */
  onInput(listener: HeldInput['onInput']): void {
    this.#input.onInput = listener;
  }

  setOwned(owned: Owned): void {
    this.#line.sendJson(ToKeeper.owned, this.number, owned);
  }

  /** Its log may be removed: nothing more is asked about it. */
  forget(): void {
    this.#line.send(ToKeeper.forget, this.number);
  }

  pause(): void {
    this.#line.send(ToKeeper.pause, this.number);
  }

  resume(): void {
    this.#line.send(ToKeeper.resume, this.number);
  }

  catchUp(): void {
    // Output that the keeper has read is in flight, and cannot be had sooner.
  }

  write(): WriteOutcome | Promise<WriteOutcome> {
    throw new Error('misuse: the input of a held child has its queue in the keeper');
  }

  closeStdin(): void {
    this.#input.end();
  }

  resize(size: Size): void {
    this.#line.sendJson(ToKeeper.resize, this.number, size);
  }

  signalGroup(group: number, signal: NodeJS.Signals): void {
    const request: SignalRequest = { group, signal };
    this.#line.sendJson(ToKeeper.signal, this.number, request);
  }

  noteTerminating(terminating: Terminating): void {
    this.#line.sendJson(ToKeeper.terminating, this.number, terminating);
  }

  abandon(): void {
    this.#line.send(ToKeeper.abandon, this.number);
  }

  /** A frame about this process has come. */
  receive(type: number, payload: Buffer): void {
    switch (type) {
      case ToGateway.output: {
        const { stream, bytes, atMs } = readOutput(payload);
        return this.#tell(() => this.#events?.onOutput(stream, bytes, atMs));
      }
      case ToGateway.resized: {
        const { rows, cols } = parseJson(payload) as ResizedFrame;
        return this.#tell(() => this.#events?.onResized({ rows, cols }));
      }
      case ToGateway.exit:
        return this.#exited(parseJson(payload) as Exit);
      case ToGateway.end:
        this.#isHeld = false;
        this.#streams = [];
        return this.#tell(() => this.#events?.onEnd());
      case ToGateway.streams:
        return this.#hasStreams(parseJson(payload) as Streams);
      case ToGateway.written:
        return this.#input.answered(payload);
      default:
    }
  }

  /** The keeper is gone. */
  lost(): void {
    this.#isHeld = false;
    this.#streams = [];
    this.#input.lost();
    if (!this.#hasExited) this.#afterExit();
    this.#tell(() => this.#events?.onLost?.());
  }

  #exited({ exit, ...streams }: { readonly exit: ChildExit } & Streams): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    this.#afterExit();
    this.#hasStreams(streams);
    this.#tell(() => this.#events?.onExit(exit));
  }

  #hasStreams({ streams, isHeld }: Streams): void {
    this.#streams = streams;
    this.#isHeld = isHeld;
  }

  #tell(tell: () => void): void {
    if (this.#events) tell();
    else this.#early.push(tell);
  }
}
