// A child that runs in the keeper, as seen by the gateway.
import type { Size } from '../../../protocol/scalars.ts';
import type { Child, ChildEvents, InputQueue, WriteOutcome } from '../../host/child.ts';
import type { Lineage } from '../../host/lineage.ts';
import type { Terminating } from '../../host/termination.ts';
import { ToGateway, ToKeeper } from '../wire/frames.ts';
import { parseJson, type Line } from '../wire/line.ts';
import {
  readOutput,
  type Exit,
  type Held,
  type OutputFrame,
  type Owned,
  type ResizedFrame,
  type SignalRequest,
  type Streams,
} from '../wire/messages.ts';
import { HeldInput, type InputNotes } from './held-input.ts';

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
  #isHeld: boolean;
  #hasExited = false;
  /** Offset of the end of all received output. */
  #receivedTo = 0;
  #afterExit: () => void = () => {};
  #events: ChildEvents | null = null;
  /** Events that arrived before `begin`. */
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
    // `#hasExited` stays false even if `held` has an exit: once the child is followed, the keeper sends that exit
    // after the output before it.
    this.#isHeld = !held.hasEnded;
  }

  /** False when the connection to the keeper has closed. */
  get isReachable(): boolean {
    return this.#line.isOpen;
  }

  /** The keeper's description of the child when it was started or found. */
  get held(): Held {
    return this.#held;
  }

  get streams(): readonly string[] {
    return this.#streams;
  }

  get isOutputHeld(): boolean {
    return this.#isHeld;
  }

  /** Passes all events to `events`, first those that have already arrived. */
  begin(events: ChildEvents): void {
    // The start is answered and logged first, even if the process has already ended.
    setImmediate(() => {
      this.#events = events;
      for (const emit of this.#early.splice(0)) emit();
    });
  }

  /** Calls `listener` when the child exits or is lost; immediately if it has already exited. */
  onExitOnce(listener: () => void): void {
    if (this.#hasExited) listener();
    else this.#afterExit = listener;
  }

  /** Requests all output from `offset` on, for a child that an earlier gateway started. */
  followFrom(offset: number): void {
    this.#receivedTo = offset;
    this.#line.sendJson(ToKeeper.follow, this.number, { offset });
  }

  /** Notes the numbers of all later writes in `notes`. */
  noteInputIn(notes: InputNotes): void {
    this.#input.notes = notes;
  }

  setOwned(owned: Owned): void {
    this.#line.sendJson(ToKeeper.owned, this.number, owned);
  }

  /** Allows the keeper to remove the log; call it last. */
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
    // Output that the keeper has read is in flight, and cannot be fetched sooner.
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
    // The keeper must receive the termination before a person is notified of it, since the gateway may be killed in
    // between.
    this.#line.flush();
  }

  abandon(): void {
    this.#line.send(ToKeeper.abandon, this.number);
  }

  receive(type: number, payload: Buffer): void {
    switch (type) {
      case ToGateway.output:
        return this.#output(readOutput(payload));
      case ToGateway.resized: {
        const { rows, cols } = parseJson(payload) as ResizedFrame;
        return this.#emit(() => this.#events?.onResized({ rows, cols }));
      }
      case ToGateway.exit:
        return this.#exited(parseJson(payload) as Exit);
      case ToGateway.end:
        this.#isHeld = false;
        this.#streams = [];
        return this.#emit(() => this.#events?.onEnd());
      case ToGateway.streams:
        return this.#hasStreams(parseJson(payload) as Streams);
      case ToGateway.written:
        return this.#input.answered(payload);
      default:
    }
  }

  lost(): void {
    this.#isHeld = false;
    this.#streams = [];
    this.#input.lost();
    if (!this.#hasExited) this.#afterExit();
    this.#emit(() => this.#events?.onLost?.());
  }

  #output({ offset, stream, bytes, atMs }: OutputFrame): void {
    // The keeper skips damaged records of its log, so output may be missing before this frame.
    const missing = offset - this.#receivedTo;
    this.#receivedTo = offset + bytes.length;
    this.#emit(() => {
      if (missing > 0) this.#events?.onMissing?.(missing);
      this.#events?.onOutput(stream, bytes, atMs);
    });
  }

  #exited({ exit, exitedAtMs, ...streams }: Exit): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    this.#afterExit();
    this.#hasStreams(streams);
    this.#emit(() => this.#events?.onExit(exit, exitedAtMs ?? undefined));
  }

  #hasStreams({ streams, isHeld }: Streams): void {
    this.#streams = streams;
    this.#isHeld = isHeld;
  }

  #emit(emit: () => void): void {
    if (this.#events) emit();
    else this.#early.push(emit);
  }
}
