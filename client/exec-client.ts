// What the client offers: the one typed way to the gateway, for the page, for Node and for other people's programs.
import type { Person } from '../protocol/activity.ts';
import type { Approval, ApprovalSettings } from '../protocol/approvals.ts';
import type { ConsoleChanged, ProcessInfo, SessionInfo, SignalName } from '../protocol/console.ts';
import type { RequestMethod, Requests } from '../protocol/methods.ts';
import type { Stream } from '../protocol/process.ts';
import type { SandboxIntent } from '../protocol/sandbox.ts';
import type { Size } from '../protocol/scalars.ts';
import type { EnvironmentInfo, Role } from '../protocol/session.ts';
import type { ConnectionState } from './connection-state.ts';

export interface ExecClient {
  readonly connection: Connection;
  readonly processes: Processes;
}

export interface Connection {
  readonly state: ConnectionState;
  /** Told of every new state. Returns its own undo, like every subscription here. */
  onState(listener: (state: ConnectionState) => void): () => void;
  /**
   * While online: since when (ms since the epoch) nothing came although it was asked for; null when something comes again.
   * There is one listener; while there is, an idle connection is asked once a second.
   */
  watchSilence(listener: (sinceMs: number | null) => void): () => void;
  /** Told of every notification that is not about an attached process or the list of processes, as it came. */
  onTold(listener: (method: string, params: unknown) => void): () => void;
  /** Connects, and stays connected until `close`. */
  open(): void;
  /** While waiting: now instead of later. While online: finds out at once whether the other end still answers. */
  retryNow(): void;
  close(): void;
  /** Rejects with RequestError for an error reply, ConnectionLost when the connection goes first, NotOnline at once. */
  request<M extends RequestMethod>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']>;
}

/** All processes of all sessions, live. */
export interface Processes {
  list(): readonly ProcessInfo[];
  sessions(): readonly SessionInfo[];
  /** Who watches the console, this client included. */
  people(): readonly Person[];
  /** Requests of agents that wait for a decision, the oldest first. */
  approvals(): readonly Approval[];
  /** Null where the gateway has not told any, as to a guest. */
  approvalSettings(): ApprovalSettings | null;
  get(key: string): ProcessInfo | undefined;
  /** After a (re)connect with everything and what happened meanwhile, then with what changed. */
  onChanged(listener: (change: ConsoleChanged) => void): () => void;
  /** Starts a process of the console's own session, attached and in control from the first byte. */
  start(request: StartRequest): Promise<RemoteProcess>;
  /**
   * Starts what has ended once more: the same command, folder, environment and sandbox, in the console's own session.
   * The terminal has `size`, or else the one it had. `withoutSandbox`: without the sandbox that it asked for, never below
   * the operator's floor.
   */
  restart(key: string, size?: Size, withoutSandbox?: boolean): Promise<RemoteProcess>;
  /** The one RemoteProcess of this key, attached on first use; it stays attached through reconnects until `detach`. */
  attach(key: string): RemoteProcess;
  /**
   * True: nobody looks, and what is attached, has a tty and is not controlled from here is not followed; false: it is
   * again, and what was missed meanwhile comes first.
   */
  rest(isResting: boolean): void;
}

export interface StartRequest {
  readonly argv: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  /** Laid over the gateway's own environment, and for a tty over `TERM=xterm-256color`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly tty: boolean;
  /** Whether one without a tty has a stdin to write to; it has, unless told otherwise. */
  readonly pipeStdin?: boolean;
  /** The terminal's size, when there is one. */
  readonly size?: Size;
  readonly label?: string;
  /** Enforced, or nothing is started; without one the gateway's own floor is what there is. */
  readonly sandbox?: SandboxIntent | undefined;
  /** A process whose environment and sandbox it has, unless its own are asked for: then `env` and `sandbox` are all. */
  readonly like?:
    { readonly key: string; readonly ownEnv: boolean; readonly ownSandbox: boolean } | undefined;
}

/** What became of a write. `inDoubt`: the connection and its session were lost before an answer came. */
export type WriteOutcome = 'accepted' | 'stdinClosed' | 'unknownProcess' | 'inDoubt';

/** One process as seen from here. */
export interface RemoteProcess {
  readonly key: string;
  /** The output, in order, each byte once. One sink at a time; what came before it was set is kept for it. */
  follow(sink: OutputSink): () => void;
  /** True once everything up to `closed` has been given to the sink. */
  readonly complete: boolean;
  /**
   * Bytes for stdin, numbered, repeated after a resume, dropped by the gateway when it has them already.
   * Rejects with NotOnline, and keeps nothing, while the connection is not online.
   */
  write(bytes: Uint8Array): Promise<WriteOutcome>;
  closeStdin(): Promise<WriteOutcome>;
  signal(signal: SignalName): Promise<void>;
  /** SIGTERM, then after the grace SIGKILL, by the gateway. `running`: whether there was anything to end. */
  terminate(graceMs?: number): Promise<{ readonly running: boolean }>;
  /** Makes this connection the one whose size and whose terminal answers count, or gives that up. */
  control(take: boolean): Promise<void>;
  /** Makes another connection that one; it must watch, and may not be an observer's. */
  giveControl(connection: string): Promise<void>;
  /** Whether this connection controls it. */
  readonly controlled: boolean;
  resize(size: Size): Promise<void>;
  /** Ends the attachment; the process runs on. */
  detach(): void;
}

export interface Output {
  readonly seq: number;
  readonly stream: Stream;
  readonly bytes: Uint8Array;
  /** False for what was printed before this connection attached: a terminal must answer no query in it. */
  readonly live: boolean;
  /** When the gateway read the first of them; another exec-server does not say. */
  readonly atMs?: number;
}

/** Where a process's output goes: a terminal, a file, a test. */
export interface OutputSink {
  /** Call `drawn` when the bytes have been consumed: that is the credit for the next ones. */
  output(output: Output, drawn: () => void): void;
  /** These bytes will never come; everything after them will. */
  gap(gap: { readonly afterSeq: number; readonly nextSeq: number; readonly bytes: number }): void;
  /** What follows was printed for a terminal of this size. */
  resized(mark: Size & { readonly afterSeq: number }): void;
  exited(exit: { readonly exitCode: number; readonly sandboxDenied: boolean }): void;
  closed(): void;
  /**
   * The connection was lost and is back; what follows was missed and has been caught up. Not just now: it came back while
   * nobody looked.
   */
  reconnected(isJustNow: boolean): void;
  /** The gateway does not know the process (any more), or lets this client not see it: nothing will come. */
  refused?(error: RequestError): void;
}

/** An error reply of the gateway. */
export class RequestError extends Error {
  readonly code: number;
  constructor(method: string, code: number, message: string) {
    super(message);
    this.name = `RequestError (${method})`;
    this.code = code;
  }
}

/** The connection went before an answer came: whether the request took effect is not known. */
export class ConnectionLost extends Error {
  constructor(method: string) {
    super(`the connection was lost before ${method} was answered`);
    this.name = 'ConnectionLost';
  }
}

/** There is no connection at the moment: nothing was sent, and nothing is kept for later. */
export class NotOnline extends Error {
  constructor(method: string) {
    super(`${method} was not sent: the connection is not online`);
    this.name = 'NotOnline';
  }
}

/** The server is an exec-server, and this is an addition of exec-console that it has not. */
export class NotOffered extends Error {
  constructor(method: string) {
    super(`this server does not offer ${method}`);
    this.name = 'NotOffered';
  }
}

/** The session is over, and its processes with it: the server was gone for too long, or this client was closed. */
export class SessionLost extends Error {
  constructor() {
    super('the session is over, and its processes with it');
    this.name = 'SessionLost';
  }
}

/** Who this connection is, once it is online. */
export interface Online {
  /** Empty on an exec-server without the console's additions. */
  readonly connection: string;
  readonly session: string;
  readonly role: Role;
  /** The machine it is connected to, and its user's shell. */
  readonly environment: EnvironmentInfo;
  /** Of who came by a share: what is shown, and until when. */
  readonly share?: Share;
}

export interface Share {
  /** The only process that is shown; null = all. */
  readonly key: string | null;
  /** ms since the epoch */
  readonly expiresAtMs: number;
}
