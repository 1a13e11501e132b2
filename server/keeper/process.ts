// The life of one process: starting → running → exited → closed, and everything that may be done to it.
import type { Act, EndedBy, PlacedAct, SignalName } from '../../protocol/console.ts';
import type { Stream, WriteResult } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import { randomId } from '../host/random-id.ts';
import { Acts } from './acts.ts';
import type {
  Child,
  ChildEvents,
  ChildExit,
  ChildSpec,
  Enclosure,
  WriteOrigin,
  WriteOutcome,
} from '../host/child.ts';
import { EventLog, type EventLogLimits } from './event-log.ts';
import type { Begun, PastStep } from './begun.ts';
import { FlowControl, type FlowLimits } from './flow-control.ts';
import type { OutputEnd } from './last-line.ts';
import { interruptTarget } from '../host/os-session.ts';
import type {
  Attention,
  AttentionListener,
  ChangeListener,
  Hold,
  ProcessControl,
  ProcessDescription,
  Writer,
} from './process-view.ts';
import { shownSpec, type ShownSpec } from './shown-command.ts';
import { SIGNAL_OF } from '../host/signals.ts';
import { spawnChild } from '../host/spawn.ts';
import { ShownOutput } from './shown-output.ts';
import { Termination } from '../host/termination.ts';
import { TypedLines, type Typed } from './typed.ts';
import { Writes, type WriteLimits } from './writes.ts';

export interface ProcessLimits extends EventLogLimits, FlowLimits, WriteLimits {
  readonly sandboxVerdictMs: number;
  readonly shownCommandChars: number;
}

type WriteStatus = WriteResult['status'];

export class Process implements ProcessControl {
  readonly key: string;
  readonly description: ProcessDescription;
  /** Parameters of the start as shown; without the environment, which has secrets. */
  readonly spec: ShownSpec;
  readonly log: EventLog;
  readonly startedAtMs: number;
  readonly #limits: ProcessLimits;
  readonly #child: Child;
  readonly #flow: FlowControl;
  readonly #wasDenied: Enclosure['wasDenied'] | null;
  readonly #termination: Termination;
  readonly #writes: Writes;
  readonly #listeners = new Set<ChangeListener>();
  readonly #shown: ShownOutput;
  readonly #attentionListeners = new Set<AttentionListener>();
  #stdinClosed = false;
  #ended = false;
  #isLost = false;
  /** True while the past is told again: nobody is notified of a bell of long ago. */
  #isInPast = false;
  #size: Size | null;
  /** Set when it was reaped. */
  #exit: ChildExit | null = null;
  #exitedAtMs: number | null = null;
  /** True until its exit has been reported. */
  #verdict: NodeJS.Timeout | null = null;
  #sandboxDenied = false;
  #lastInput: (Writer & { readonly atMs: number }) | null = null;
  readonly #typed = new TypedLines();
  #controller: string | null = null;
  readonly #acts: Acts;

  /** Starts it at once unless it has begun elsewhere; throws SpawnError when that fails. */
  constructor(
    description: ProcessDescription,
    spec: ChildSpec,
    limits: ProcessLimits,
    begun: Begun | null = null,
  ) {
    this.key = begun?.key ?? randomId(12);
    this.startedAtMs = begun?.startedAtMs ?? Date.now();
    this.description = description;
    this.spec = shownSpec(spec, limits.shownCommandChars);
    this.#limits = limits;
    this.#wasDenied = spec.sandbox?.wasDenied ?? null;
    this.#size = spec.tty;
    this.log = new EventLog(limits, begun?.journal);
    this.#shown = new ShownOutput(this.log, spec.tty !== null, (text) => this.#askAttention(text));
    this.#acts = new Acts(this.log);
    if (spec.tty) this.log.resized(spec.tty);
    this.#child = begun ? begun.begin(this.#events()) : spawnChild(spec, this.#events());
    this.#writes = new Writes(this.#child, limits);
    this.#flow = new FlowControl(limits, this.log, this.#child);
    this.#termination = new Termination(this.#child, () => this.#changed('soon'));
  }

  get processId(): string {
    return this.description.processId;
  }
  get pid(): number {
    return this.#child.pid;
  }
  get size(): Size | null {
    return this.#size;
  }
  /** Null until the exit event, so that no reader learns of an exit earlier or from another source. */
  get exit(): ChildExit | null {
    return this.log.exitedSeq === null ? null : this.#exit;
  }
  get isLost(): boolean {
    return this.#isLost;
  }
  get sandboxDenied(): boolean {
    return this.#sandboxDenied;
  }
  get exitedAtMs(): number | null {
    return this.exit && this.#exitedAtMs;
  }
  get isFullScreen(): boolean {
    return this.#shown.isFullScreen;
  }

  get lastOutputAtMs(): number | null {
    return this.#shown.lastOutputAtMs;
  }
  get lastInput(): (Writer & { readonly atMs: number }) | null {
    return this.#lastInput;
  }
  get typed(): readonly Typed[] {
    return this.#typed.all;
  }
  get inputBytes(): number {
    return this.#writes.acceptedBytes;
  }
  /** Requests for attention by its terminal, and its progress. */
  get attention(): Attention {
    const { attention } = this.#shown;
    return this.exit ? { ...attention, progress: null } : attention;
  }
  get title(): string | null {
    return this.#shown.title;
  }
  get lastLine(): string | null {
    return this.#shown.lastLine;
  }
  get outputEnd(): OutputEnd {
    return this.#shown.outputEnd;
  }
  get isClosed(): boolean {
    return this.log.closedSeq !== null;
  }
  get acts(): readonly PlacedAct[] {
    return this.#acts.all;
  }
  get endedBy(): EndedBy | null {
    return this.exit && this.#acts.endedBy;
  }
  get remains(): Termination['remains'] {
    return this.#termination.remains;
  }
  get allEndedAtMs(): Termination['allEndedAtMs'] {
    return this.exit && this.#termination.allEndedAtMs;
  }
  get termination(): Termination['state'] {
    return this.#termination.state;
  }
  get controller(): string | null {
    return this.#controller;
  }
  set controller(connection: string | null) {
    if (this.#controller === connection) return;
    this.#controller = connection;
    this.#changed('soon');
  }

  hold(seq: number, offset: number): Hold {
    return this.#flow.hold(seq, offset);
  }

  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onAttention(listener: AttentionListener): () => void {
    this.#attentionListeners.add(listener);
    return () => this.#attentionListeners.delete(listener);
  }

  write({ session, who }: Writer, writeId: string, bytes: Buffer): WriteStatus | Promise<WriteStatus> {
    if (!this.#child.writable) return 'stdinClosed';
    // A repeated request did not get its first answer; that stdin is closed by now would be a wrong one.
    const answered = this.#writes.answered(session, writeId);
    if (answered !== null) return answered;
    if (this.#stdinClosed || this.#exit || this.#isLost) return 'stdinClosed';
    // Done first, since the typing person is waiting for the echo.
    const status = this.#writes.add(session, writeId, bytes);
    if (bytes.length > 0) {
      this.#lastInput = { session, who, atMs: Date.now() };
      this.#typed.add({ session, who }, bytes);
      // A process that is being terminated is not ended by a key.
      if (this.#child.tty && this.#termination.state === null) this.#acts.typed(who, bytes);
      this.#changed('later');
    }
    return status;
  }

  forgetWriter(session?: string): void {
    this.#writes.forget(session);
  }

  closeStdin(who: string): WriteStatus {
    if (!this.#child.writable || this.#stdinClosed || this.#exit || this.#isLost) return 'stdinClosed';
    this.#acted(who, 'closeStdin');
    this.#changed('soon');
    // A terminal's end of file is a byte that a program may ask for again and again.
    this.#stdinClosed = !this.#child.tty;
    this.#writes.end();
    return 'accepted';
  }

  resize(size: Size): void {
    if (!this.#size || (this.#size.rows === size.rows && this.#size.cols === size.cols)) return;
    this.#size = size;
    if (this.#ended) this.log.resized(size);
    else this.#child.resize(size);
    this.#changed('soon');
  }

  signal(name: SignalName, who: string): void {
    if (this.#exit || this.#isLost) return;
    const isKey = name === 'interrupt' || name === 'quit' || name === 'suspend';
    const target = isKey && this.#child.tty ? interruptTarget(this.pid) : this.pid;
    // The kernel discards a SIGTSTP to a group without a shell that could continue it, as a session's leader has none.
    this.#child.signalGroup(target, name === 'suspend' && target === this.pid ? 'SIGSTOP' : SIGNAL_OF[name]);
    this.#acted(who, name);
    this.#changed('soon');
  }

  restarted(who: string): void {
    this.#acted(who, 'restart');
    this.#changed('soon');
  }

  killNow(who: string, how: Act['how'] = 'kill'): { running: boolean } {
    if (this.isClosed || this.#isLost) return { running: false };
    const result = this.#exit ? this.#termination.start(0) : { running: true };
    // An exited process may have no children left to kill, although its output is held open.
    if (result.running) this.#acted(who, how);
    if (!this.#exit) this.#child.signalGroup(this.pid, 'SIGKILL');
    return result;
  }

  terminate(
    graceMs: number,
    who: string,
    { how = 'terminate', isEscapedToo = false }: { how?: Act['how']; isEscapedToo?: boolean } = {},
  ): { running: boolean } {
    if (this.#isLost) return { running: false };
    const result = this.#termination.start(graceMs, isEscapedToo);
    if (result.running) this.#acted(who, graceMs === 0 && how === 'terminate' ? 'kill' : how);
    this.#changed('soon');
    return result;
  }

  discardOutput(): void {
    this.log.discard();
  }

  /** Notes a write that an earlier gateway has made. */
  rememberWrite(origin: WriteOrigin, outcome: WriteOutcome): void {
    this.#writes.remember(origin, outcome, 0);
  }

  /** Tells again what it did before this gateway was there; in order, and before anything new. */
  replay(step: PastStep): void {
    this.#isInPast = true;
    try {
      this.#replay(step);
    } finally {
      this.#isInPast = false;
    }
  }

  #replay(step: PastStep): void {
    switch (step.kind) {
      case 'begun':
        this.log.beginAt(step.seq, step.offset);
        return;
      case 'output':
        this.#printed(step.stream, step.bytes, step.atMs);
        if (step.isWhole) this.log.seal();
        return;
      case 'resized':
        this.#size = step.size;
        this.log.resized(step.size);
        return;
      case 'exited':
        this.#exitedAtMs = step.atMs;
        this.#exit = step.exit;
        this.#sandboxDenied = step.sandboxDenied;
        this.#termination.leaderExited(step.atMs);
        this.#writes.exited();
        this.log.exited(step.exit.code, step.sandboxDenied);
        return;
      case 'closed':
        this.#ended = true;
        this.log.closed();
        this.#shown.readLastLine();
        return;
      default:
    }
  }

  /** Output read so far is flushed first, so that the act's position is right. */
  #acted(who: string, how: Act['how']): void {
    this.#child.catchUp();
    this.#acts.record(who, how);
  }

  #askAttention(text: string | null): void {
    if (this.#isInPast) return;
    this.#changed('soon');
    for (const listener of this.#attentionListeners) listener(text);
  }

  #events(): ChildEvents {
    return {
      onOutput: (stream, bytes, atMs) => {
        this.#printed(stream, bytes, atMs);
        this.#changed('later');
      },
      onResized: (size) => this.log.resized(size),
      onExit: (exit) => this.#exited(exit),
      onEnd: () => {
        this.#ended = true;
        this.#closeWhenOver();
      },
      onLost: () => {
        // An exit that is known stays so: only the end of the output is not.
        this.#isLost = true;
        this.#termination.dispose();
        this.#writes.exited();
        this.#changed('soon');
      },
    };
  }

  #printed(stream: Stream, bytes: Buffer, atMs?: number): void {
    this.log.append(stream, bytes, atMs);
    this.#shown.take(bytes, atMs);
    this.#flow.check();
  }

  #exited(exit: ChildExit): void {
    // An earlier gateway has told of it already.
    if (this.#exit) return;
    this.#exitedAtMs = Date.now();
    this.#acts.ended(exit, this.#termination.state !== null);
    this.#termination.leaderExited();
    this.#writes.exited();
    this.#exit = exit;
    // The reason of the failure may still be unread; readers that wait for the end are not delayed for it.
    if (this.spec.sandbox && exit.code !== 0 && !this.#ended) {
      this.#verdict = setTimeout(() => this.#publishExit(exit), this.#limits.sandboxVerdictMs);
    } else this.#publishExit(exit);
  }

  #publishExit(exit: ChildExit): void {
    if (this.#verdict) clearTimeout(this.#verdict);
    this.#verdict = null;
    const output = (): string => this.log.tail(this.#limits.retainedBytes).toString('latin1');
    this.#sandboxDenied = exit.code !== 0 && (this.#wasDenied?.(exit.code, output()) ?? false);
    this.log.exited(exit.code, this.#sandboxDenied);
    this.#closeWhenOver();
    this.#changed('soon');
  }

  #closeWhenOver(): void {
    if (!this.#exit || !this.#ended) return;
    if (this.#verdict) this.#publishExit(this.#exit);
    if (this.log.closedSeq !== null) return;
    this.log.closed();
    this.#shown.readLastLine();
    this.#changed('soon');
  }

  #changed(urgency: 'soon' | 'later'): void {
    for (const listener of this.#listeners) listener(urgency);
  }
}
