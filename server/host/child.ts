// The one interface behind which a process's child sits: pipes or a terminal, Linux or macOS.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { Lineage } from './lineage.ts';
import type { Found } from './look-as-user.ts';
import type { User } from './user.ts';

/** How a child ended: `signal` (as `SIGTERM`) when one killed it, and then `code` is 128 + its number. */
export interface ChildExit {
  readonly code: number;
  readonly signal: string | null;
}

export type WriteOutcome = 'accepted' | 'closed';

export interface ChildEvents {
  /** `bytes` is only lent: whoever keeps them copies them. Never empty. */
  onOutput(stream: Stream, bytes: Buffer): void;
  /** Once, the moment the child is reaped, whatever is still unread or paused. */
  onExit(exit: ChildExit): void;
  /** Once, after the last byte of every stream, also of grandchildren that held them; before or after onExit. */
  onEnd(): void;
}

export interface Child {
  /** Leads its own OS session and process group. */
  readonly pid: number;
  /** Whether stdin takes bytes at all: a terminal, or a pipe that was asked for. */
  readonly writable: boolean;
  readonly tty: boolean;
  /** Inherited by everything that it starts. */
  readonly lineage: Lineage;
  /** As /proc names what the child was given to read and write, while our end is open: until then no others are called so. */
  readonly streams: readonly string[];
  /** Whether anything holds its output open, read to its end or not; false when our end is closed. */
  readonly isOutputHeld: boolean;
  /** Stops reading; what has been read still arrives (of a flood 1 MiB), the kernel holds back the rest. Idempotent. */
  pause(): void;
  resume(): void;
  /** Hands on at once what has been read and waits for its turn: it was printed before whatever is done now. */
  catchUp(): void;
  /**
   * Queues bytes for stdin, in order. `accepted` when the kernel has taken them, `closed` when nobody can read them any
   * more; a promise of that where it is not known at once, as while stdin is full. Never rejects.
   */
  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome>;
  /** End of file for a pipe, after what is queued; for a terminal the byte 4. */
  closeStdin(): void;
  /** Only for a tty. */
  resize(size: Size): void;
  /** Gives up every descriptor at once, so that `onEnd` comes even while a grandchild holds the output. */
  abandon(): void;
}

/** A sandbox that a child is started in. */
export interface Enclosure {
  /** As the wire calls the means. */
  readonly type: string;
  /** What it allows, for people. */
  readonly policy: string;
  /** True when all of the machine's files may be written to inside, but for those of the gateway. */
  readonly isOpen: boolean;
  /** Throws when it cannot be entered. */
  enter(command: Pick<ChildSpec, 'argv' | 'arg0' | 'cwd' | 'env'>): {
    /** What is to be started in the command's place, with these variables until it is inside. */
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** To be called once, when it has ended or could not be started. */
    readonly leave: () => void;
  };
  /** Whether what ended so, having printed this, probably failed because of the sandbox. */
  readonly wasDenied: (exitCode: number, output: string) => boolean;
}

/** What it takes to start a child; everything is decided, nothing is looked up any more. */
export interface ChildSpec {
  /** argv[0] is the program: looked up in the child's own PATH when it has no slash. */
  readonly argv: readonly string[];
  /** argv[0] as the program sees it, when it differs. */
  readonly arg0: string | null;
  /** An absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The terminal's size, or null for pipes. */
  readonly tty: Size | null;
  readonly pipeStdin: boolean;
  readonly sandbox: Enclosure | null;
  /** As whom it runs; null: as the gateway does. */
  readonly user: User | null;
  /** What that user finds, or why it is not known; undefined for the gateway's own, which is looked for at the start. */
  readonly found?: Found | Error;
}
