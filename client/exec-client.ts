// API of the client: the one typed way to the gateway, for the page, for Node and for third-party programs.
import type { Person } from '../protocol/activity.ts';
import type { Approval, ApprovalSettings } from '../protocol/approvals.ts';
import type { ConsoleChanged, ProcessInfo, SessionInfo } from '../protocol/console.ts';
import type { SignalName } from '../protocol/signals.ts';
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
  /** Called with every new state. Returns its own undo, like every subscription here. */
  onState(listener: (state: ConnectionState) => void): () => void;
  /**
   * Reports silence while online: the time (ms since the epoch) since which requests got no answer; null when data
   * arrives again. There is one listener; while there is, an idle connection is probed once a second.
   */
  watchSilence(listener: (sinceMs: number | null) => void): () => void;
  /** Called with every notification that is not about an attached process or the list of processes, as received. */
  onTold(listener: (method: string, params: unknown) => void): () => void;
  /** Connects, and stays connected until `close`. */
  open(): void;
  /** Reconnects now while waiting; while online, checks at once whether the other end still answers. */
  retryNow(): void;
  close(): void;
  /** Rejects with RequestError for an error reply, ConnectionLost when the connection goes first, NotOnline at once. */
  request<M extends RequestMethod>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']>;
}

/** All processes of all sessions, live. */
export interface Processes {
  list(): readonly ProcessInfo[];
  sessions(): readonly SessionInfo[];
  /** People who watch the console, this client included. */
  people(): readonly Person[];
  /** Requests of agents that wait for a decision, the oldest first. */
  approvals(): readonly Approval[];
  /** Null when the gateway sends none, as to a guest. */
  approvalSettings(): ApprovalSettings | null;
  get(key: string): ProcessInfo | undefined;
  /** Puts a process of history (`console/history`) into the list, for as long as this client lives. */
  remember(info: ProcessInfo): void;
  /** Called after each (re)connect with everything, including the activity meanwhile, and then with each change. */
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
   * True when no person looks: attached processes that have a tty and are not controlled from here are then not
   * followed. False follows them again, beginning with the missed output.
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
  /** False for a process without a tty and without a stdin; default true. */
  readonly pipeStdin?: boolean;
  /** The terminal's size, when there is one. */
  readonly size?: Size;
  readonly label?: string;
  /** False: its output is not recorded. */
  readonly recorded?: boolean;
  /** Enforced, or nothing is started; without one the gateway's own floor is what there is. */
  readonly sandbox?: SandboxIntent | undefined;
  /** A process whose environment and sandbox it has, unless its own are asked for: then `env` and `sandbox` are all. */
  readonly like?:
    { readonly key: string; readonly ownEnv: boolean; readonly ownSandbox: boolean } | undefined;
}

/** Result of a write. `inDoubt`: the connection and its session were lost before an answer came. */
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
  /** Makes this connection the controller, whose size and terminal answers count, or gives that up. */
  control(take: boolean): Promise<void>;
  /** Makes another connection the controller; it must watch, and may not be an observer's. */
  giveControl(connection: string): Promise<void>;
  /** True while this connection controls the process. */
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
  /** Time (ms since the epoch) when the gateway read the first byte; absent with other exec-servers. */
  readonly atMs?: number;
}

/** Destination of a process's output: a terminal, a file, a test. */
export interface OutputSink {
  /** Call `drawn` when the bytes have been consumed: that is the credit for the next ones. */
  output(output: Output, drawn: () => void): void;
  /** Reports bytes that will never come; everything after them will. */
  gap(gap: { readonly afterSeq: number; readonly nextSeq: number; readonly bytes: number }): void;
  /** Size of the terminal for the output that follows. */
  resized(mark: Size & { readonly afterSeq: number }): void;
  exited(exit: { readonly exitCode: number; readonly sandboxDenied: boolean }): void;
  closed(): void;
  /**
   * Called after a lost connection is back, before the missed output, which has been caught up. `isJustNow` is false
   * when it came back while no person looked.
   */
  reconnected(isJustNow: boolean): void;
  /** Called when the gateway no longer knows the process, or denies access to it: nothing will come. */
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

/** Identity and rights of this connection, once it is online. */
export interface Online {
  /** Empty on an exec-server without the console's additions. */
  readonly connection: string;
  readonly session: string;
  readonly role: Role;
  /** The machine it is connected to, and its user's shell. */
  readonly environment: EnvironmentInfo;
  /** Share of a guest: the process that it shows, and its expiry. */
  readonly share?: Share;
}

export interface Share {
  /** The only process that is shown; null = all. */
  readonly key: string | null;
  /** ms since the epoch */
  readonly expiresAtMs: number;
}
