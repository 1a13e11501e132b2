// Interface through which the rest of the gateway reads and controls a process, wherever its child runs.
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
  /** Process id chosen by the owner, unique within its session. */
  readonly processId: string;
  /** Public label of the session. */
  readonly session: string;
  /** True for a process of the console's own session, which waits for no reader but its controller. */
  readonly isConsole: boolean;
  /** Name by which the session's client introduced itself; null for people, absent if unknown. */
  readonly clientName?: string | null;
  readonly startedBy: string;
  /** Token with which the process was started, and its role. */
  readonly starter: { readonly tokenId: string; readonly role: string };
  readonly metadata: Readonly<Record<string, string>>;
  readonly label: string | null;
  /** Key of the process that was restarted as this one; null when this is not a restart. */
  readonly restartOf: string | null;
  /** True for a console process that was started with recording turned off. */
  readonly notRecorded?: true;
  /**
   * True when stdin is a pipe, and no environment variable of the start can make a shell run other code before or
   * instead of its script.
   */
  readonly runsAsWritten?: true;
}

/** A writer: the session that scopes its write ids, and its name for the audit log. */
export interface Writer {
  readonly session: string;
  readonly who: string;
}

/** Last bell, notification and progress that the program has sent to its terminal; progress is null after the exit. */
export type Attention = Pick<ProcessInfo, 'bellAtMs' | 'notification' | 'progress'>;

/** Called when the terminal requests attention; `text` is the notification's text, null for a bell. */
export type AttentionListener = (text: string | null) => void;

/** Called after a change: `later` for output or input, `soon` for any other. */
export type ChangeListener = (urgency: 'soon' | 'later') => void;

/** Current facts about a process, as plain values that can be sent. */
export interface ProcessFacts {
  readonly pid: number;
  /** Terminal size; null without a terminal. */
  readonly size: Size | null;
  /** Exit code and signal; null until the log has the exited event. */
  readonly exit: ChildExit | null;
  /** True when the process probably failed because of its sandbox. */
  readonly sandboxDenied: boolean;
  readonly exitedAtMs: number | null;
  readonly isClosed: boolean;
  /** True when the child can no longer be reached, so that its later output is unknown. */
  readonly isLost: boolean;
  /** True for a lost process that is known to be running; it can still be signalled and terminated. */
  readonly isStillRunning: boolean;
  /** True while a full-screen program uses the terminal. */
  readonly isFullScreen: boolean;
  readonly lastOutputAtMs: number | null;
  readonly lastInput: (Writer & { readonly atMs: number }) | null;
  /** Lines typed by each of the most recent writers. */
  readonly typed: readonly Typed[];
  /** Bytes accepted on stdin, from all writers. */
  readonly inputBytes: number;
  readonly attention: Attention;
  readonly title: string | null;
  /**
   * Last line of the output with visible text; null when there is none, and while a full-screen program uses the
   * terminal.
   */
  readonly lastLine: string | null;
  /** The end of the output, which is searched for the last line. */
  readonly outputEnd: OutputEnd;
  readonly acts: readonly PlacedAct[];
  readonly endedBy: EndedBy | null;
  readonly remains: Remains;
  readonly termination: TerminationState | null;
  /** Time at which the last termination had ended all processes of the OS session; null until then. */
  readonly allEndedAtMs: number | null;
}

/** The retained events of one process; all reads are synchronous. */
export interface LogView {
  readonly nextSeq: number;
  /** Seq of the oldest retained event; `nextSeq` when none is retained. */
  readonly firstSeq: number;
  /** Decoded bytes before the oldest retained event. */
  readonly firstOffset: number;
  /** Decoded bytes of all output so far, sealed or not. */
  readonly totalBytes: number;
  /** Decoded bytes of the output that has a seq. */
  readonly sealedBytes: number;
  readonly retainedBytes: number;
  /** Approximate memory of the retained events. */
  readonly costBytes: number;
  readonly exitedSeq: number | null;
  readonly closedSeq: number | null;
  /** Seals pending output: assigns its seq now. */
  seal(): void;
  /** Returns the event, or undefined when it was evicted or lost, or does not exist yet. */
  at(seq: number): LogEvent | undefined;
  /** Returns `seq`, or the seq of the first later event that is retained or does not exist yet. */
  nextRetained(seq: number): number;
  /** Returns the segment that contains output event `seq`, a key for caches; undefined once it was evicted. */
  segmentOf(seq: number): object | undefined;
  /**
   * Returns the number of decoded bytes of all output up to and including event `seq`; may be too large for an event
   * that was evicted long ago.
   */
  offsetAfter(seq: number): number;
  /** Returns the last `bytes` of the retained output of all streams, sealed or not; all of it when there is less. */
  tail(bytes: number): Buffer;
  /** Returns the terminal size for which event `seq` was, or will be, printed; undefined without a terminal. */
  sizeAt(seq: number): SizeMark | undefined;
  /** Returns the size for which `seq` was printed and all later sizes, oldest first; empty without a terminal. */
  sizesFrom(seq: number): readonly SizeMark[];
  /**
   * Calls `listener` after new output, the exit, the end and a new terminal size, in order of subscription. Returns a
   * function that unsubscribes.
   */
  onChange(listener: () => void): () => void;
  /**
   * Calls `listener` with each step of the log; unsealed output is not a step yet. The listener must not use the log.
   */
  onStep(listener: (step: LogStep) => void): void;
  /**
   * Calls `listener` with each evicted piece of output, in order; it must not use the log. A new listener replaces the
   * old one.
   */
  onEvict(listener: (bytes: Buffer) => void): void;
}

/**
 * Flow-control credit of a reader that must receive all output. Positions are absolute, so that a newer one replaces an
 * older one that has not been sent yet; Infinity is after all future output.
 */
export interface Hold {
  /** Reports that the reader needs no event before `seq`, and has read `offset` decoded bytes. */
  release(seq: number, offset: number): void;
  /** Stops waiting for this reader. Idempotent. */
  close(): void;
}

/** Thrown for a write when too much input is already queued; none of its bytes were accepted. */
export class StdinFull extends Error {}

/** Read access to a process. */
export interface ProcessView extends ProcessFacts {
  /** Public name of the process: never reused, and unique across gateways. */
  readonly key: string;
  readonly processId: string;
  readonly description: ProcessDescription;
  readonly spec: ShownSpec;
  readonly startedAtMs: number;
  readonly log: LogView;
  /** Label of the one connection whose terminal size and terminal answers count; null when there is none. */
  readonly controller: string | null;
  /** Retains all events from `seq` on, and pauses the process when too much output after `offset` is unread. */
  hold(seq: number, offset: number): Hold;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  onChange(listener: ChangeListener): () => void;
  /** Calls `listener` for each bell and notification of the terminal. Returns a function that unsubscribes. */
  onAttention(listener: AttentionListener): () => void;
}

type OrLater<T> = T | Promise<T>;
type WriteStatus = WriteResult['status'];
interface Running {
  readonly running: boolean;
}

/**
 * Read and control access to a process. An answer that is not known at once is a promise, which rejects only where
 * documented.
 */
export interface ProcessControl extends ProcessView {
  /** Label of the controller; callers set it directly, since only this gateway has the controller's connection. */
  controller: string | null;
  /**
   * Writes once per session and `writeId`, however often the request is repeated. Answers when the bytes are queued,
   * which may wait for room in the queue. Fails with StdinFull, or when the process is lost before the answer.
   */
  write(writer: Writer, writeId: string, bytes: Buffer): OrLater<WriteStatus>;
  /** Forgets the write ids of a session that will not write again; without `session`, those of all sessions. */
  forgetWriter(session?: string): void;
  closeStdin(who: string): OrLater<WriteStatus>;
  /** Resizes the terminal, if the process has one. */
  resize(size: Size): void;
  /** Signals the process group; for a signal that a key can send, the foreground process group of the terminal. */
  signal(name: SignalName, who: string): void;
  /** Records that a restart of this process was started. */
  restarted(who: string): void;
  /** Sends SIGKILL to the process group; after the exit, to the processes left in the OS session. */
  killNow(who: string, how?: Act['how']): OrLater<Running>;
  /**
   * Sends SIGTERM to the OS session, and with `isEscapedToo` to processes that left it; then SIGKILL after `graceMs`.
   */
  terminate(
    graceMs: number,
    who: string,
    options?: { readonly how?: Act['how']; readonly isEscapedToo?: boolean },
  ): OrLater<Running>;
  /**
   * Evicts all retained output that no reader holds, to free memory; the exit remains available. With
   * `isHeldToo`, evicts all output of a closed process, even what readers hold.
   */
  discardOutput(isHeldToo?: boolean): void;
}
