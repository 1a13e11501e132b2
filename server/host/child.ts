// The one interface to a process's child: on pipes or a terminal, on Linux or macOS.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { Lineage } from './lineage.ts';
import type { Found } from './look-as-user.ts';
import type { Terminating } from './termination.ts';
import type { User } from './user.ts';

/** The exit of a child: `signal` (such as `SIGTERM`) when one killed it, and then `code` is 128 + its number. */
export interface ChildExit {
  readonly code: number;
  readonly signal: string | null;
}

export type WriteOutcome = 'accepted' | 'closed';

export interface ChildEvents {
  /**
   * `bytes` is only valid during the call: copy it to keep it. Never empty. `atMs` is when it was read; undefined for
   * now.
   */
  onOutput(stream: Stream, bytes: Buffer, atMs?: number): void;
  /** Called when the terminal changes its size, after all output that was read before. */
  onResized(size: Size): void;
  /** Called once, the moment the child is reaped, even while output is unread or paused. */
  onExit(exit: ChildExit): void;
  /** Called once, after the last byte of every stream, also of grandchildren that held them; before or after onExit. */
  onEnd(): void;
  /** Called once when nothing more is known of it; only for a child in another program. */
  onLost?(): void;
}

export interface Child {
  /** Pid of the leader of the child's own OS session and process group. */
  readonly pid: number;
  /** True when stdin accepts bytes: a terminal, or a pipe that was requested. */
  readonly writable: boolean;
  readonly tty: boolean;
  /** Marks that everything the child starts inherits. */
  readonly lineage: Lineage;
  /** Names in /proc of the child's stdio; unique to it only while our end is open. */
  readonly streams: readonly string[];
  /** True when anything holds its output open, read to its end or not; false when our end is closed. */
  readonly isOutputHeld: boolean;
  /** Stops reading. Bytes already read still arrive (1 MiB in a flood), the kernel holds back the rest. Idempotent. */
  pause(): void;
  resume(): void;
  /** Emits bytes that were read and queued at once: they were printed before whatever happens now. */
  catchUp(): void;
  /**
   * Queues bytes for stdin, in order. `accepted` when the kernel has taken them, `closed` when no reader is left; a
   * promise when that is not known at once, as while stdin is full. Never rejects.
   */
  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome>;
  /** Ends stdin after the queued bytes: end of file for a pipe, byte 4 for a terminal. */
  closeStdin(): void;
  /** Changes the terminal's size, and emits `onResized`; only for a tty. */
  resize(size: Size): void;
  /** Signals a process group that the child leads or has started, unless the child has been reaped. */
  signalGroup(group: number, signal: NodeJS.Signals): void;
  /** Notes a terminate for the time when this program is gone; only for a child in another program. */
  noteTerminating?(terminating: Terminating): void;
  /** The queue of its stdin where that is kept with the child, in another program; it stands in for `write`. */
  readonly input?: InputQueue;
  /** Closes every descriptor at once, so that `onEnd` is called even while a grandchild holds the output. */
  abandon(): void;
}

/** Origin of a write: who may ask for it again, and by which id. */
export interface WriteOrigin {
  readonly session: string;
  readonly writeId: string;
}

/** Input that waits for a child to read it. */
export interface InputQueue {
  /**
   * Resolves when the write is queued. Fails with StdinFull: at once, or, where the queue is in another program, by the
   * promise.
   */
  write(bytes: Uint8Array, origin: WriteOrigin): WriteOutcome | Promise<WriteOutcome>;
  /** The end of stdin, after all that was written before. */
  end(): void;
  /** The program has ended: what waits is not written. */
  exited(): void;
}

/** A sandbox that a child is started in. */
export interface Enclosure {
  /** Name of the sandbox mechanism on the wire. */
  readonly type: string;
  /** Description of the policy, for people. */
  readonly policy: string;
  /** True when all of the machine's files are writable inside, except those of the gateway. */
  readonly isOpen: boolean;
  /** Throws when the sandbox cannot be entered. */
  enter(command: Pick<ChildSpec, 'argv' | 'arg0' | 'cwd' | 'env'>): {
    /** Command to start in place of the original; `env` applies until it is inside. */
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Call once, when the command has ended or could not be started. */
    readonly leave: () => void;
  };
  /** True when a command with this exit code and output probably failed because of the sandbox. */
  readonly wasDenied: (exitCode: number, output: string) => boolean;
}

/** Everything needed to start a child; it is all decided, nothing is looked up later. */
export interface ChildSpec {
  /** argv[0] is the program: looked up in the child's own PATH when it has no slash. */
  readonly argv: readonly string[];
  /** Value of argv[0] that the program sees, when it differs. */
  readonly arg0: string | null;
  /** An absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The terminal's size, or null for pipes. */
  readonly tty: Size | null;
  readonly pipeStdin: boolean;
  /** True for one pipe that takes both stdout and stderr; default false. */
  readonly joinStderr?: boolean;
  readonly sandbox: Enclosure | null;
  /** User that the child runs as; null: the gateway's own. */
  readonly user: User | null;
  /**
   * Files found as that user, or the error; undefined for the gateway's own user, whose files are looked up at the
   * start.
   */
  readonly found?: Found | Error;
}
