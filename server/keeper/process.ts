// The life of one process (starting → running → exited → closed), and the operations on it.
import type { Act, EndedBy, PlacedAct } from '../../protocol/console.ts';
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { SignalName } from '../../protocol/signals.ts';
import { randomId } from '../host/random-id.ts';
import { Ending } from './ending.ts';
import type {
  Child,
  ChildEvents,
  ChildExit,
  ChildSpec,
  Enclosure,
  WriteOrigin,
  WriteOutcome,
} from '../host/child.ts';
import { EventLog } from './event-log.ts';
import type { Begun, PastStep } from './begun.ts';
import { FlowControl } from './flow-control.ts';
import type { OutputEnd } from './last-line.ts';
import { Listeners } from './listeners.ts';
import type { ProcessLimits } from './process-limits.ts';
import type { PastNotes } from './process-notes.ts';
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
import { spawnChild } from '../host/spawn.ts';
import { ShownOutput } from './shown-output.ts';
import type { Termination } from '../host/termination.ts';
import { ProcessInput, type WriteStatus } from './writes.ts';
import type { Typed } from './typed.ts';

export class Process implements ProcessControl {
  readonly key: string;
  readonly description: ProcessDescription;
  /** Parameters of the start as shown, without the environment, which contains secrets. */
  readonly spec: ShownSpec;
  readonly log: EventLog;
  readonly startedAtMs: number;
  readonly #limits: ProcessLimits;
  readonly #child: Child;
  readonly #flow: FlowControl;
  readonly #wasDenied: Enclosure['wasDenied'] | null;
  readonly #ending: Ending;
  readonly #input: ProcessInput;
  readonly #listeners = new Listeners();
  readonly #shown: ShownOutput;
  #ended = false;
  #isLost = false;
  /** True while `replay` runs, so that bells and notifications of the past are not reported again. */
  #isInPast = false;
  #size: Size | null;
  /** Null until the child has been reaped. */
  #exit: ChildExit | null = null;
  #exitedAtMs: number | null = null;
  /** Timer that publishes the exit of a process in a sandbox; null when none is running. */
  #verdict: NodeJS.Timeout | null = null;
  #sandboxDenied = false;
  #controller: string | null = null;

  /** Starts the child, unless `begun` has one; throws SpawnError when that fails. */
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
    if (spec.tty) this.log.resized(spec.tty);
    this.#child = begun ? begun.begin(this.#events()) : spawnChild(spec, this.#events());
    const notes = begun?.notes ?? null;
    this.#input = new ProcessInput(this.#child, limits, (who, bytes) => this.#typed(who, bytes), notes);
    this.#flow = new FlowControl(limits, this.log, this.#child);
    const about = { notes, isConsole: description.isConsole };
    this.#ending = new Ending(this.#child, this.log, () => this.#listeners.changed('soon'), about);
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
  /** Null until the exited event, so that the exit becomes visible to all readers with that event, and not before. */
  get exit(): ChildExit | null {
    return this.log.exitedSeq === null ? null : this.#exit;
  }
  get isLost(): boolean {
    return this.#isLost;
  }
  get isStillRunning(): boolean {
    return this.#ending.isStillRunning;
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
    return this.#input.lastInput;
  }
  get typed(): readonly Typed[] {
    return this.#input.typed;
  }
  get inputBytes(): number {
    return this.#input.acceptedBytes;
  }
  get attention(): Attention {
    return this.exit ? { ...this.#shown.attention, progress: null } : this.#shown.attention;
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
    return this.#ending.acts.all;
  }
  get endedBy(): EndedBy | null {
    return this.exit && this.#ending.acts.endedBy;
  }
  get remains(): Termination['remains'] {
    return this.#ending.termination.remains;
  }
  get allEndedAtMs(): Termination['allEndedAtMs'] {
    return this.exit && this.#ending.termination.allEndedAtMs;
  }
  get termination(): Termination['state'] {
    return this.#ending.termination.state;
  }
  get controller(): string | null {
    return this.#controller;
  }
  set controller(connection: string | null) {
    if (this.#controller === connection) return;
    this.#controller = connection;
    this.#listeners.changed('soon');
  }

  hold(seq: number, offset: number): Hold {
    return this.#flow.hold(seq, offset);
  }

  onChange(listener: ChangeListener): () => void {
    return this.#listeners.onChange(listener);
  }

  onAttention(listener: AttentionListener): () => void {
    return this.#listeners.onAttention(listener);
  }

  write(writer: Writer, writeId: string, bytes: Buffer): WriteStatus | Promise<WriteStatus> {
    return this.#input.write(writer, writeId, bytes);
  }

  forgetWriter(session?: string): void {
    this.#input.forgetWriter(session);
  }

  closeStdin(who: string): WriteStatus {
    if (!this.#input.isOpen) return 'stdinClosed';
    this.#ending.act(who, 'closeStdin');
    this.#input.end();
    return 'accepted';
  }

  resize(size: Size): void {
    if (!this.#size || (this.#size.rows === size.rows && this.#size.cols === size.cols)) return;
    this.#size = size;
    if (this.#ended) this.log.resized(size);
    else this.#child.resize(size);
    this.#listeners.changed('soon');
  }

  signal(name: SignalName, who: string): void {
    this.#ending.signal(name, who);
  }

  restarted(who: string): void {
    this.#ending.act(who, 'restart');
  }

  killNow(who: string, how: Act['how'] = 'kill'): { running: boolean } {
    return this.#ending.killNow(who, how);
  }

  terminate(
    graceMs: number,
    who: string,
    { how = 'terminate', isEscapedToo = false }: { how?: Act['how']; isEscapedToo?: boolean } = {},
  ): { running: boolean } {
    return this.#ending.terminate(graceMs, who, how, isEscapedToo);
  }

  discardOutput(isHeldToo = false): void {
    this.log.discard(isHeldToo ? (this.log.closedSeq ?? undefined) : undefined);
  }

  /** Stores the outcome of a write made by an earlier gateway, so that a repeated request returns it. */
  rememberWrite(origin: WriteOrigin, outcome: WriteOutcome): void {
    this.#input.remember(origin, outcome);
  }

  /** Restores the acts, counts of typed lines and termination noted by earlier gateways, and the keeper's size. */
  restore(past: PastNotes): void {
    this.#ending.restore(past);
    this.#input.restore(past.typed);
    this.#size = past.size ?? this.#size;
  }

  /** Replays what the process did before this gateway started; call it before appending anything new. */
  replay(steps: Iterable<PastStep>): void {
    this.#isInPast = true;
    for (const step of steps) this.#replay(step);
    this.#isInPast = false;
  }

  #replay(step: PastStep): void {
    switch (step.kind) {
      case 'missing':
        this.log.missing(step.ends, step.isContinued);
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
        this.#ending.replayExit(step);
        this.#input.over();
        this.log.exited(step.exit.code, step.sandboxDenied, step.atMs);
        return;
      case 'closed':
        this.#ended = true;
        this.log.closed();
        this.#shown.readLastLine();
        return;
      default:
    }
  }

  #typed(who: string, bytes: Buffer): void {
    this.#ending.typed(who, bytes);
    this.#listeners.changed('later');
  }

  #askAttention(text: string | null): void {
    if (this.#isInPast) return;
    this.#listeners.askAttention(text);
  }

  #events(): ChildEvents {
    return {
      onOutput: (stream, bytes, atMs) => {
        this.#printed(stream, bytes, atMs);
        this.#listeners.changed('later');
      },
      onMissing: (bytes) => this.log.missing([this.log.totalBytes + bytes], false),
      onResized: (size) => this.log.resized(size),
      onExit: (exit, atMs) => this.#exited(exit, atMs),
      onEnd: () => {
        this.#ended = true;
        this.#closeWhenOver();
      },
      onLost: () => {
        // A known exit stays valid; only the end of the output is unknown.
        this.#isLost = true;
        this.#ending.lost((exit) => this.#exited(exit));
        this.#input.over();
        this.#listeners.changed('soon');
      },
    };
  }

  #printed(stream: Stream, bytes: Buffer, atMs?: number): void {
    this.log.append(stream, bytes, atMs);
    this.#shown.take(bytes, atMs);
    this.#flow.check();
  }

  #exited(exit: ChildExit, atMs?: number): void {
    // An earlier gateway may have reported the exit already.
    if (this.#exit) return;
    this.#exitedAtMs = atMs ?? Date.now();
    this.#ending.exited(exit, atMs);
    this.#input.over();
    this.#exit = exit;
    // A failed exit waits for the sandbox's error output, unless all output has ended.
    if (this.spec.sandbox && exit.code !== 0 && !this.#ended) {
      this.#verdict = setTimeout(() => this.#publishExit(exit), this.#limits.sandboxVerdictMs);
    } else this.#publishExit(exit);
  }

  #publishExit(exit: ChildExit): void {
    if (this.#verdict) clearTimeout(this.#verdict);
    this.#verdict = null;
    const output = (): string => this.log.tail(this.#limits.retainedBytes).toString('latin1');
    this.#sandboxDenied = exit.code !== 0 && (this.#wasDenied?.(exit.code, output()) ?? false);
    this.log.exited(exit.code, this.#sandboxDenied, this.#exitedAtMs ?? undefined);
    this.#closeWhenOver();
    this.#listeners.changed('soon');
  }

  #closeWhenOver(): void {
    if (!this.#exit || !this.#ended) return;
    if (this.#verdict) this.#publishExit(this.#exit);
    if (this.log.closedSeq !== null) return;
    this.log.closed();
    this.#shown.readLastLine();
    this.#listeners.changed('soon');
  }
}
