// Types and errors of the client's API, for the page, for Node and for third-party programs.
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
  /** Calls `listener` with every new state. Returns an unsubscribe function, like every subscription here. */
  onState(listener: (state: ConnectionState) => void): () => void;
  /**
   * Reports silence while online: the time in ms since the epoch when data was last received, or null when data arrives
   * again or the connection ends. There is one listener; while it is set, a connection idle for a second is probed.
   */
  watchSilence(listener: (sinceMs: number | null) => void): () => void;
  /**
   * Calls `listener` with every notification that the client does not handle itself; an `ExecClient` handles the events
   * of processes and `console/changed`.
   */
  onNotification(listener: (method: string, params: unknown) => void): () => void;
  /** Connects, and keeps reconnecting until `close`, or until the state is `failed`. */
  open(): void;
  /**
   * Connects immediately instead of waiting for the next attempt; if online, checks whether the gateway still
   * answers.
   */
  retryNow(): void;
  close(): void;
  /**
   * Rejects with RequestError for an error reply, ConnectionLost if the connection is lost first, NotOnline
   * when offline.
   */
  request<M extends RequestMethod>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']>;
}

/** All processes of all sessions, live. */
export interface Processes {
  list(): readonly ProcessInfo[];
  sessions(): readonly SessionInfo[];
  /** People watching the console, with one entry per connection, including this one. */
  people(): readonly Person[];
  /** Agents' pending requests for approval, oldest first. */
  approvals(): readonly Approval[];
  /** Returns the policies and pauses; null until the gateway has sent them, which it never does to guests. */
  approvalSettings(): ApprovalSettings | null;
  get(key: string): ProcessInfo | undefined;
  /**
   * Adds a process from `console/history` to the list, where it stays although the gateway does not list it; no effect
   * if the process is already in the list.
   */
  remember(info: ProcessInfo): void;
  /** Removes a process that `remember` has added, and that the history no longer has. */
  forget(key: string): void;
  /**
   * Calls `listener` after each (re)connect with the full list and the activity since the last connection, and then
   * with each change.
   */
  onChanged(listener: (change: ConsoleChanged) => void): () => void;
  /** Starts a process in the console's session, attached and controlled from the first byte. */
  start(request: StartRequest): Promise<RemoteProcess>;
  /**
   * Restarts an ended process in the console's session: same command, folder, environment and sandbox.
   * Default for `size`: the previous terminal size. `withoutSandbox` drops the requested sandbox, but never
   * the operator's minimum.
   */
  restart(key: string, size?: Size, withoutSandbox?: boolean): Promise<RemoteProcess>;
  /**
   * Returns the RemoteProcess of this key, attached on first use; it stays attached across reconnects until
   * `detach`.
   */
  attach(key: string): RemoteProcess;
  /**
   * Sets whether nobody is viewing. While true, attached processes that have a tty and that this client does not
   * control are not followed; afterwards, following resumes where it stopped.
   */
  rest(isResting: boolean): void;
}

export interface StartRequest {
  readonly argv: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /**
   * Variables that override the gateway's environment (or the one copied from the process in `like`) and, for a tty,
   * the defaults of `TERM` and `COLORTERM`.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly tty: boolean;
  /** False for a process without stdin; default: true. A tty always has stdin. */
  readonly pipeStdin?: boolean;
  readonly size?: Size;
  readonly label?: string;
  /** False to exclude the output of the process from the recordings; default: true. */
  readonly recorded?: boolean;
  /**
   * Requested sandbox; the start fails if it can't be enforced. Default: that of the process in `like`, if any; the
   * gateway's minimum applies in any case.
   */
  readonly sandbox?: SandboxIntent | undefined;
  /**
   * Process whose environment and sandbox are copied; `ownEnv` excludes the environment from the copy, and `ownSandbox`
   * the sandbox.
   */
  readonly like?:
    { readonly key: string; readonly ownEnv: boolean; readonly ownSandbox: boolean } | undefined;
}

/**
 * Result of a write or of closing stdin. `inDoubt`: the outcome is unknown, usually because the session (for
 * closing stdin, the connection) was lost before a reply arrived.
 */
export type WriteOutcome = 'accepted' | 'stdinClosed' | 'unknownProcess' | 'inDoubt';

/** A process, as this client follows it. */
export interface RemoteProcess {
  readonly key: string;
  /**
   * Passes the output to a sink, in order and once, until the returned function is called or another sink is set.
   * Output that arrives while no sink is set waits for the next one.
   */
  follow(sink: OutputSink): () => void;
  /** True once the sink has received everything up to `closed`. */
  readonly complete: boolean;
  /**
   * Writes to stdin. Writes are numbered, repeated after a resume, and ignored by the gateway if already
   * received. Rejects with NotOnline, and queues nothing, while the connection is offline.
   */
  write(bytes: Uint8Array): Promise<WriteOutcome>;
  closeStdin(): Promise<WriteOutcome>;
  signal(signal: SignalName): Promise<void>;
  /**
   * Terminates the process: the gateway sends SIGTERM, then SIGKILL after the grace period (default: 5 s).
   * `running`: whether the process was still running.
   */
  terminate(graceMs?: number): Promise<{ readonly running: boolean }>;
  /** Takes or releases control; only the controller's size and terminal answers have an effect. */
  control(take: boolean): Promise<void>;
  /** Makes another connection the controller; that connection must watch the console and must not be read-only. */
  giveControl(connection: string): Promise<void>;
  /** True while this connection is the controller. */
  readonly controlled: boolean;
  resize(size: Size): Promise<void>;
  /** Ends the attachment; the process keeps running. */
  detach(): void;
}

export interface Output {
  readonly seq: number;
  readonly stream: Stream;
  readonly bytes: Uint8Array;
  /** False for output from before this connection attached; a terminal must not answer queries in it. */
  readonly live: boolean;
  /** Time (ms since the epoch) when the gateway read the first byte; other exec-servers do not send it. */
  readonly atMs?: number;
}

/** Receiver of a process's output, such as a terminal, a file or a test. */
export interface OutputSink {
  /** Receives output. `drawn` must be called when the bytes have been consumed; it returns the credit for more. */
  output(output: Output, drawn: () => void): void;
  /** Reports bytes that this client will not receive. */
  gap(gap: { readonly afterSeq: number; readonly nextSeq: number; readonly bytes: number }): void;
  /** Terminal size for the output that follows. */
  resized(mark: Size & { readonly afterSeq: number }): void;
  exited(exit: { readonly exitCode: number; readonly sandboxDenied: boolean }): void;
  closed(): void;
  /**
   * Called after the connection is restored, before the output printed meanwhile. `isJustNow` is false when
   * it was restored while nobody was viewing.
   */
  reconnected(isJustNow: boolean): void;
  /**
   * Called when the gateway refuses access to the output, for example for an unknown key, or sends a malformed
   * reply; no more output arrives on this connection.
   */
  refused?(error: RequestError): void;
}

/** The gateway replied with an error, or its reply is malformed. */
export class RequestError extends Error {
  readonly code: number;
  constructor(method: string, code: number, message: string) {
    super(message);
    this.name = `RequestError (${method})`;
    this.code = code;
  }
}

/** The connection was lost before the reply: it is unknown whether the request took effect. */
export class ConnectionLost extends Error {
  constructor(method: string) {
    super(`the connection was lost before ${method} was answered`);
    this.name = 'ConnectionLost';
  }
}

/** The connection is offline: nothing was sent, and nothing will be sent later. */
export class NotOnline extends Error {
  constructor(method: string) {
    super(`${method} was not sent: the connection is not online`);
    this.name = 'NotOnline';
  }
}

/** The server lacks this exec-console extension. */
export class NotOffered extends Error {
  constructor(method: string) {
    super(`this server does not offer ${method}`);
    this.name = 'NotOffered';
  }
}

/**
 * The session cannot be used any more, for example because the server was unreachable for too long, or because this
 * client was closed.
 */
export class SessionLost extends Error {
  constructor() {
    super('the session and its processes have ended');
    this.name = 'SessionLost';
  }
}

/** Identity and rights of this connection while online. */
export interface Online {
  /** Public label of the connection; empty on an exec-server without exec-console's extensions. */
  readonly connection: string;
  readonly session: string;
  readonly role: Role;
  /** The gateway's machine, with the home folder and shell of the user that runs the processes. */
  readonly environment: EnvironmentInfo;
  /** The shared process and the share's expiry, for a guest. */
  readonly share?: Share;
}

export interface Share {
  /** Key of the shared process; null = all processes. */
  readonly key: string | null;
  /** Time in ms since the epoch. */
  readonly expiresAtMs: number;
}
