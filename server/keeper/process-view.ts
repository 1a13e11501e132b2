// A process as the rest of the gateway knows it, wherever it is kept: what may be read of it, and what may be done to
// it.
import type { Act, EndedBy, PlacedAct, ProcessInfo, SizeMark } from '../../protocol/console.ts';
import type { SignalName } from '../../protocol/signals.ts';
import type { WriteResult } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { ChildExit } from '../host/child.ts';
import type { Remains, TerminationState } from '../host/termination.ts';
import type { OutputEnd } from './last-line.ts';
import type { LogEvent, LogStep } from './log-event.ts';
import type { ShownSpec } from './shown-command.ts';
import type { Typed } from './typed.ts';

/** Facts about a process that are fixed at its start. */
export interface ProcessDescription {
  /** The owner's name for it, scoped to its session. */
  readonly processId: string;
  /** The session's public label. */
  readonly session: string;
  /** True when it belongs to the console's own session: only its controller is waited for. */
  readonly isConsole: boolean;
  readonly startedBy: string;
  /** The token that started it. */
  readonly starter: { readonly tokenId: string; readonly role: string };
  readonly metadata: Readonly<Record<string, string>>;
  readonly label: string | null;
  /** The key of the process that this is a restart of. */
  readonly restartOf: string | null;
  /** True for a process of the console whose starter wanted its output not to be recorded. */
  readonly notRecorded?: true;
}

/** A writer: the session that its write ids are counted in, and the name for the audit log. */
export interface Writer {
  readonly session: string;
  readonly who: string;
}

/** Requests of the terminal for a person's attention. */
export type Attention = Pick<ProcessInfo, 'bellAtMs' | 'notification' | 'progress'>;

/** Called when the terminal requests attention; `text` is that of a notification, null for a bell. */
export type AttentionListener = (text: string | null) => void;

/** `soon`: it started, exited or changed hands; `later`: it printed something. */
export type ChangeListener = (urgency: 'soon' | 'later') => void;

/** Facts about a process now. Plain values: all of them can be sent. */
export interface ProcessFacts {
  readonly pid: number;
  /** Null without a terminal. */
  readonly size: Size | null;
  /** Null until the log has the event of the exit. */
  readonly exit: ChildExit | null;
  /** True when it probably failed because of its sandbox. */
  readonly sandboxDenied: boolean;
  readonly exitedAtMs: number | null;
  readonly isClosed: boolean;
  /** True when it cannot be reached any more: nothing more is known, and nothing can be done to it. */
  readonly isLost: boolean;
  /** True for a lost one that is known to run; it can be signalled and terminated. */
  readonly isStillRunning: boolean;
  /** True while a full-screen program has its terminal. */
  readonly isFullScreen: boolean;
  readonly lastOutputAtMs: number | null;
  readonly lastInput: (Writer & { readonly atMs: number }) | null;
  /** Lines that each writer has typed; of many writers the last ones. */
  readonly typed: readonly Typed[];
  /** Bytes accepted on stdin, from all writers. */
  readonly inputBytes: number;
  readonly attention: Attention;
  readonly title: string | null;
  /** The last line of its output with visible text; null for a full-screen program, which has no lines. */
  readonly lastLine: string | null;
  /** The end of its output in which that line is looked for. */
  readonly outputEnd: OutputEnd;
  readonly acts: readonly PlacedAct[];
  readonly endedBy: EndedBy | null;
  readonly remains: Remains;
  readonly termination: TerminationState | null;
  /** Time at which a terminate had ended all of its OS session. */
  readonly allEndedAtMs: number | null;
}

/** The events of one process as far as they are retained here; reading needs no answer from anywhere. */
export interface LogView {
  /** One above the last event that has a seq. */
  readonly nextSeq: number;
  /** The oldest event that is retained; `nextSeq` when none is. */
  readonly firstSeq: number;
  /** Decoded bytes before the oldest retained event. */
  readonly firstOffset: number;
  /** Decoded bytes of all output ever, sealed or not. */
  readonly totalBytes: number;
  /** Decoded bytes of the output that has a seq. */
  readonly sealedBytes: number;
  readonly retainedBytes: number;
  /** Approximate memory of the retained events. */
  readonly costBytes: number;
  readonly exitedSeq: number | null;
  readonly closedSeq: number | null;
  /** Seals output that is waiting for more: assigns its seq now. */
  seal(): void;
  /** The event, unless it has been evicted or has not happened. */
  at(seq: number): LogEvent | undefined;
  /** Lives as long as this output is retained: a key for what a reader remembers of it. */
  segmentOf(seq: number): object | undefined;
  /** Decoded bytes of all output up to and with event `seq`; at least those when that was evicted long ago. */
  offsetAfter(seq: number): number;
  /** The newest retained output, sealed or not, over all streams; about `bytes` of it, or all there is. */
  tail(bytes: number): Buffer;
  /** The size that `seq` was, or will be, printed for. */
  sizeAt(seq: number): SizeMark | undefined;
  /** The size that `seq` was printed for and all later ones, oldest first; empty without a terminal. */
  sizesFrom(seq: number): readonly SizeMark[];
  /** Calls `listener` after every change, in the order of subscription. Returns its own undo. */
  onChange(listener: () => void): () => void;
  /** Calls `listener` with each event as it gets its seq, and with each new size; it must not use the log. */
  onStep(listener: (step: LogStep) => void): void;
  /** Calls `listener` with all output, each piece on its eviction, in order; it must not use the log. There is one. */
  onTrim(listener: (bytes: Buffer) => void): void;
}

/**
 * The credit of a reader that must not miss anything. Places are absolute, so that a later one replaces an earlier one, and
 * plain numbers, so that they can be sent; Infinity is behind everything that will ever be printed.
 */
export interface Hold {
  /** The reader needs nothing before event `seq`, and has taken `offset` decoded bytes. */
  release(seq: number, offset: number): void;
  /** The reader is not waited for any more. Idempotent. */
  close(): void;
}

/** Too much waits to be written already: nothing of this write was taken. */
export class StdinFull extends Error {}

/** A process for those that read it. */
export interface ProcessView extends ProcessFacts {
  /** The public name: never reused, unique beyond one gateway. */
  readonly key: string;
  readonly processId: string;
  readonly description: ProcessDescription;
  readonly spec: ShownSpec;
  readonly startedAtMs: number;
  readonly log: LogView;
  /** The label of the one connection whose size and whose terminal answers count. */
  readonly controller: string | null;
  /**
   * Keeps all events from `seq` on, and stops reading the process at the limits' distance beyond `offset`, from now on.
   */
  hold(seq: number, offset: number): Hold;
  /** Returns its own undo. */
  onChange(listener: ChangeListener): () => void;
  /** Calls `listener` each time its terminal rings or notifies. Returns its own undo. */
  onAttention(listener: AttentionListener): () => void;
}

type OrLater<T> = T | Promise<T>;
type WriteStatus = WriteResult['status'];
interface Running {
  readonly running: boolean;
}

/**
 * A process for those that act on it as well. An answer that is not known at once is a promise, which does not reject where
 * nothing else is reported: of a lost process nothing is known to run.
 */
export interface ProcessControl extends ProcessView {
  /** Known only here: a connection is this gateway's, wherever the process is. */
  controller: string | null;
  /**
   * Writes once, however often the same session asks with the same id. The answer comes when the bytes are queued, and waits
   * while the queue is full. Fails with StdinFull, or when the process is lost before it has answered.
   */
  write(writer: Writer, writeId: string, bytes: Buffer): OrLater<WriteStatus>;
  /** The session is gone for good, and nothing else writes in its name; without one, nothing writes any more. */
  forgetWriter(session?: string): void;
  closeStdin(who: string): OrLater<WriteStatus>;
  /** Resizes the terminal; only for a process that has one. */
  resize(size: Size): void;
  /** Signals the process group, or, for a signal that a key would send, the foreground job of a terminal. */
  signal(name: SignalName, who: string): void;
  /** The same has been started again. */
  restarted(who: string): void;
  /** SIGKILL at once to the whole group; of an exited process, to what still holds its output. */
  killNow(who: string, how?: Act['how']): OrLater<Running>;
  /**
   * SIGTERM to every process of its OS session, and of those that escaped from it if asked; after the grace SIGKILL.
   */
  terminate(
    graceMs: number,
    who: string,
    options?: { readonly how?: Act['how']; readonly isEscapedToo?: boolean },
  ): OrLater<Running>;
  /** Evicts all retained output that is not held, to make room for others; the exit stays known. */
  discardOutput(): void;
}
