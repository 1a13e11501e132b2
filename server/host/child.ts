// Interfaces of a child process on pipes or a terminal: its events, its state, its input and its spec.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { Lineage } from './lineage.ts';
import type { Found } from './look-as-user.ts';
import type { Terminating } from './termination.ts';
import type { User } from './user.ts';

/** Exit of a child. `signal`: the signal that killed it, such as `SIGTERM`; `code` is then 128 + its number. */
export interface ChildExit {
  readonly code: number;
  readonly signal: string | null;
}

export type WriteOutcome = 'accepted' | 'closed';

export interface ChildEvents {
  /**
   * `bytes`: never empty, and only valid during the call, so copy them for later use. `atMs`: time of the read;
   * undefined means now.
   */
  onOutput(stream: Stream, bytes: Buffer, atMs?: number): void;
  /** Called when this number of bytes is missing before the next output; only for a child in another program. */
  onMissing?(bytes: number): void;
  /** Called when the size of the terminal changes, after all output that was read before. */
  onResized(size: Size): void;
  /**
   * Called once, when the child is reaped, even while output is unread or paused. `atMs`: time of the exit; undefined
   * means now.
   */
  onExit(exit: ChildExit, atMs?: number): void;
  /** Called once, after the last byte of every stream, including output of grandchildren; before or after onExit. */
  onEnd(): void;
  /** Called once when the child's state becomes unknown; only for a child in another program. */
  onLost?(): void;
}

export interface Child {
  /** PID of the child, which leads its own OS session and process group. */
  readonly pid: number;
  /** True when stdin accepts bytes: a terminal, or a pipe that was requested. */
  readonly writable: boolean;
  readonly tty: boolean;
  /** Marks that the child's descendants inherit; a program can drop its own. */
  readonly lineage: Lineage;
  /** Names in /proc of the child's stdio; each is unique only while the parent's end is open. */
  readonly streams: readonly string[];
  /**
   * True when a process holds the child's end of the output open, even if output is unread; false once the parent's end
   * is closed.
   */
  readonly isOutputHeld: boolean;
  /** Stops reading; idempotent. Bytes already read still arrive, up to 1 MiB; the kernel holds back the rest. */
  pause(): void;
  resume(): void;
  /** Emits all bytes that were read and queued, so that they precede the next event. */
  catchUp(): void;
  /**
   * Queues bytes for stdin, in order. Returns `accepted` when the kernel has accepted them, `closed` when stdin is
   * closed or has no reader, and a promise when that is not known at once, such as while stdin is full. Never rejects.
   */
  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome>;
  /** Ends stdin after the queued bytes: end of file for a pipe, byte 4 for a terminal. */
  closeStdin(): void;
  /** Changes the terminal's size, and emits `onResized`; only for a tty. */
  resize(size: Size): void;
  /** Signals a process group that the child leads or started; only valid until the child is reaped. */
  signalGroup(group: number, signal: NodeJS.Signals): void;
  /**
   * Notes the newest termination in the program that holds the child, so that it continues without the gateway; only
   * for a child in another program.
   */
  noteTerminating?(terminating: Terminating): void;
  /** Stdin queue of a child in another program, used instead of `write`. */
  readonly input?: InputQueue;
  /** Closes every descriptor at once, so that `onEnd` is called even while a grandchild holds the output open. */
  abandon(): void;
}

/** The parent's end of a pipe or terminal, in a gateway or a keeper: its descriptor, and its name in /proc. */
export interface OwnEnd {
  readonly fd: number;
  readonly name: string;
}

/**
 * State of a child that one program passes to the next in the same process; the descriptors stay open across
 * exec.
 */
export interface ChildState {
  readonly pid: number;
  readonly lineage: Lineage;
  readonly tty: boolean;
  readonly writable: boolean;
  /** Null for pipes, and once the terminal is closed. */
  readonly terminal: (OwnEnd & { readonly childs: number | null }) | null;
  readonly stdin: OwnEnd | null;
  /** Pipes that are open. */
  readonly outputs: readonly (OwnEnd & { readonly stream: Stream; readonly isLarge: boolean })[];
  /** True when stdin is to end after the queued bytes. */
  readonly endsInput: boolean;
}

export interface Passable {
  /**
   * Returns the child's state, and the bytes of stdin that the kernel has not accepted; null while output is being
   * read or a stream is being closed. Valid in this turn of the event loop, while the child is paused.
   */
  handOver(): { readonly state: ChildState; readonly queued: readonly Uint8Array[] } | null;
}

/** A child of this program, which can be passed to the next program in the same process. */
export type OwnChild = Child & Passable;

/** Origin of a write: the session that may repeat it, and the id by which a repetition is recognized. */
export interface WriteOrigin {
  readonly session: string;
  readonly writeId: string;
}

export interface InputQueue {
  /** Resolves when the write is queued. Throws StdinFull, or rejects with it when the queue is in another program. */
  write(bytes: Uint8Array, origin: WriteOrigin): WriteOutcome | Promise<WriteOutcome>;
  /** Ends stdin after all earlier writes. */
  end(): void;
  /** Drops queued writes, since the program has exited. */
  exited(): void;
}

/** A sandbox in which a child is started. */
export interface Enclosure {
  /** Name of the sandbox mechanism on the wire. */
  readonly type: string;
  /** Description of the policy, for people. */
  readonly policy: string;
  /** True when the policy grants write access to `/`. */
  readonly isOpen: boolean;
  /** Enters the sandbox for a command; throws when that is impossible. */
  enter(command: Pick<ChildSpec, 'argv' | 'arg0' | 'cwd' | 'env'>): {
    /** Command to start instead of the original; `env` applies until the command is inside. */
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Releases resources of the sandbox; call it once, when the command has ended or could not be started. */
    readonly leave: () => void;
  };
  /** Returns true when a command with this exit code and output probably failed because of the sandbox. */
  readonly wasDenied: (exitCode: number, output: string) => boolean;
}

/** Everything needed to start a child, decided in advance. */
export interface ChildSpec {
  /** Arguments; argv[0] is the program, looked up in the child's PATH when it has no slash. */
  readonly argv: readonly string[];
  /** argv[0] as the program sees it; null when it is the same as in `argv`. */
  readonly arg0: string | null;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Size of the terminal; null for pipes. */
  readonly tty: Size | null;
  readonly pipeStdin: boolean;
  /** True for one pipe that carries both stdout and stderr; default false. */
  readonly joinStderr?: boolean;
  readonly sandbox: Enclosure | null;
  /** User that runs the child; null: the gateway's user. */
  readonly user: User | null;
  /**
   * Result of looking up the program as that user; undefined for the gateway's user, whose program is looked
   * up at the start.
   */
  readonly found?: Found | Error;
}
