// Drives the connection's state: dials, initializes, detects lost connections and retries.
import { CloseCode } from '../protocol/console-constants.ts';
import { ErrorCode } from '../protocol/jsonrpc.ts';
import type { RequestMethod, Requests } from '../protocol/methods.ts';
import type { InitializeResult } from '../protocol/session.ts';
import { backoff } from './backoff.ts';
import { next, nextAttempt, type ConnectionEvent, type ConnectionState } from './connection-state.ts';
import { ConnectionLost, NotOnline, RequestError, type Connection, type Online } from './exec-client.ts';
import { Heartbeat } from './heartbeat.ts';
import { Liveness, type LivenessLimits } from './liveness.ts';
import { REFUSED, type OpenFailure } from './open-failure.ts';
import { RpcClient, type Reply } from './rpc-client.ts';
import type { Runtime } from './runtime.ts';
import type { SocketLike } from './socket-like.ts';
import { readAnyInitialize, readInitialize } from './wire.ts';

/** Time limit for a socket to open and be initialized. */
const CONNECT_MS = 15_000;

const FINAL_CODES: readonly number[] = [
  CloseCode.policyViolation,
  CloseCode.unauthorized,
  CloseCode.stranger,
  CloseCode.protocolMismatch,
];

/** The client built on this connection; `online` and `offline` are called before the listeners of the new state. */
export interface ConnectionFollower {
  /** `isResumed`: the gateway still has this client's session, and remembers the session's writes. */
  online(rpc: RpcClient, online: Online, isResumed: boolean): void;
  /** Called once after each `online`, when the connection is lost or closed. */
  offline(): void;
  /** Called when the connection will not reconnect by itself. */
  ended(): void;
  /** Returns true when the notification was recognized. */
  notification(method: string, params: unknown): boolean;
}

export interface ConnectionOptions {
  /** Creates a socket with the required credential. */
  readonly socket: () => SocketLike;
  readonly clientName: string;
  /** Called when a socket did not open, to find the reason; default: the connection is retried. */
  readonly probe?: () => Promise<OpenFailure>;
  readonly runtime: Runtime;
  readonly liveness: LivenessLimits;
  readonly follower: ConnectionFollower;
  /**
   * True to accept any exec-server, and to retry until this client's session is no longer attached to the previous
   * connection. Default: requires a gateway, and starts a new session if the old one is still attached.
   */
  readonly isOwnSession?: boolean;
  readonly resume?: string | undefined;
}

export class ClientConnection implements Connection {
  readonly #options: ConnectionOptions;
  readonly #liveness: Liveness;
  readonly #heartbeat: Heartbeat;
  #silenceListener: ((sinceMs: number | null) => void) | null = null;
  #state: ConnectionState = { kind: 'idle' };
  #listeners: readonly ((state: ConnectionState) => void)[] = [];
  #notifiedListeners: readonly ((method: string, params: unknown) => void)[] = [];
  #socket: SocketLike | null = null;
  #rpc: RpcClient | null = null;
  #sessionId: string | null = null;
  #stopTimer: (() => void) | null = null;
  /** True while reading is paused; this also applies to later connections. */
  #holdsReading = false;
  /** Number of ignored messages: binary ones, and notifications for which there was no listener. */
  ignored = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#sessionId = options.resume ?? null;
    this.#liveness = new Liveness(options.runtime, options.liveness, {
      ask: () => this.#ask(),
      rest: () => this.#socket?.pong?.(),
      dead: () => this.drop('the gateway does not respond'),
      woke: () => this.#retry(),
    });
    this.#heartbeat = new Heartbeat(options.runtime, {
      ask: () => this.#ask(),
      silent: (sinceMs) => this.#silenceListener?.(sinceMs),
    });
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  watchSilence(listener: (sinceMs: number | null) => void): () => void {
    this.#silenceListener = listener;
    this.#beat();
    return () => {
      // The heartbeat stops first, so that the listener is still notified of the end of a silence.
      this.#heartbeat.stop();
      this.#silenceListener = null;
    };
  }

  /** Runs the heartbeat while the connection is online, there is a listener, and reading is not paused. */
  #beat(): void {
    const isWanted = this.#silenceListener !== null && this.#state.kind === 'online' && !this.#holdsReading;
    if (isWanted) this.#heartbeat.start();
    else this.#heartbeat.stop();
  }

  onNotification(listener: (method: string, params: unknown) => void): () => void {
    this.#notifiedListeners = [...this.#notifiedListeners, listener];
    return () => {
      this.#notifiedListeners = this.#notifiedListeners.filter((each) => each !== listener);
    };
  }

  open(): void {
    if (this.#state.kind !== 'idle' && this.#state.kind !== 'failed') return;
    this.#enter({ kind: 'open' });
    this.#dial();
  }

  retryNow(): void {
    if (this.#state.kind === 'online') this.#liveness.check();
    else this.#retry();
  }

  close(): void {
    this.#end({ kind: 'close' });
  }

  request<M extends RequestMethod>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']> {
    return new Promise((resolve, reject) => {
      this.call(method, params, (reply) => {
        // The result is not validated here; the method table declares its type.
        if (reply.kind === 'result') resolve(reply.result as Requests[M]['result']);
        else if (reply.kind === 'lost') reject(new ConnectionLost(method));
        else reject(new RequestError(method, reply.error.code, reply.error.message));
      });
    });
  }

  /** Variant of `request` that settles in the event-loop turn of the reply. Throws NotOnline when offline. */
  call<M extends RequestMethod>(
    method: M,
    params: Requests[M]['params'],
    settle: (reply: Reply) => void,
  ): void {
    if (!this.#rpc || this.#state.kind !== 'online') throw new NotOnline(method);
    this.#rpc.request(method, params, settle);
  }

  /**
   * Pauses or resumes reading; paused data waits at its source. A socket that can't pause continues to read.
   */
  holdReading(isHeld: boolean): void {
    if (isHeld === this.#holdsReading) return;
    this.#holdsReading = isHeld;
    this.#beat();
    this.#readOrRest();
  }

  /** Drops the connection as if it had been cut, and reconnects after a delay. */
  drop(reason: string): void {
    if (!this.#socket) return;
    const { runtime } = this.#options;
    const delayMs = backoff(nextAttempt(this.#state), runtime.random());
    this.#leave({ kind: 'cut', reason, retryAtMs: runtime.now() + delayMs });
    // A listener that was notified of the cut may already have retried or closed.
    if (this.#state.kind !== 'waiting') return;
    this.#stopTimer = runtime.after(delayMs, () => this.#retry());
  }

  /** Pauses or resumes reading, but only while online, since the handshake must be read first. */
  #readOrRest(): void {
    const socket = this.#socket;
    if (this.#state.kind !== 'online' || !socket?.pause) return;
    this.#liveness.rest(this.#holdsReading);
    if (this.#holdsReading) socket.pause();
    else socket.resume?.();
  }

  #retry(): void {
    if (this.#state.kind !== 'waiting') return;
    this.#stopTimer?.();
    this.#enter({ kind: 'retry' });
    this.#dial();
  }

  #dial(): void {
    this.#liveness.start();
    let socket: SocketLike;
    try {
      socket = this.#options.socket();
    } catch (error) {
      this.#end({ kind: 'refused', reason: `cannot open a socket: ${String(error)}` });
      return;
    }
    let hasOpened = false;
    this.#socket = socket;
    this.#stopTimer = this.#options.runtime.after(CONNECT_MS, () =>
      this.drop('the gateway did not answer in time'),
    );
    socket.addEventListener('open', () => {
      if (socket !== this.#socket) return;
      hasOpened = true;
      this.#opened(socket);
    });
    socket.addEventListener('message', ({ data }) => {
      if (socket !== this.#socket) return;
      this.#liveness.heard();
      this.#heartbeat.heard();
      if (typeof data !== 'string') this.ignored += 1;
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (socket !== this.#socket) return;
      if (FINAL_CODES.includes(code)) this.#end({ kind: 'refused', reason: reason || `refused (${code})` });
      else this.drop(reason || (hasOpened ? 'the connection was cut' : 'the gateway cannot be reached'));
      if (!hasOpened) this.#probe();
    });
    // `ws` throws an error that has no listener; the close event that follows has all the information.
    socket.addEventListener('error', () => undefined);
  }

  #opened(socket: SocketLike): void {
    const rpc = new RpcClient({
      socket,
      follower: this.#options.follower,
      reported: (method, params) => {
        if (this.#notifiedListeners.length === 0) this.ignored += 1;
        for (const listener of this.#notifiedListeners) listener(method, params);
      },
    });
    this.#rpc = rpc;
    this.#enter({ kind: 'socketOpened' });
    this.#initialize(rpc);
  }

  #initialize(rpc: RpcClient): void {
    const { clientName } = this.#options;
    const resumeSessionId = this.#sessionId;
    rpc.request('initialize', { clientName, resumeSessionId }, (reply) => {
      if (reply.kind === 'lost') return;
      if (reply.kind === 'result') {
        const read = this.#options.isOwnSession ? readAnyInitialize : readInitialize;
        this.#initialized(rpc, read(reply.result));
        return;
      }
      const { code, message } = reply.error;
      // `stillAttached`: the server has not yet noticed that the previous connection is gone.
      const isSessionGone =
        code === ErrorCode.invalidRequest ||
        (code === ErrorCode.stillAttached && !this.#options.isOwnSession);
      if (resumeSessionId === null || !isSessionGone) {
        this.drop(message);
        return;
      }
      this.#sessionId = null;
      this.#initialize(rpc);
    });
  }

  #initialized(rpc: RpcClient, result: InitializeResult | null): void {
    if (!result) {
      this.#end({
        kind: 'refused',
        reason: this.#options.isOwnSession
          ? 'this server is not an exec-server; check the address'
          : 'this server is not an exec-console gateway, or is a different version; check the address and the version',
      });
      return;
    }
    const { sessionId, console, environmentInfo: environment } = result;
    const isResumed = sessionId === this.#sessionId;
    this.#sessionId = sessionId;
    this.#stopTimer?.();
    this.#stopTimer = null;
    const { connection, session, role, share } = console;
    const online: Online = { connection, session, role, environment, ...(share && { share }) };
    rpc.notify('initialized');
    this.#options.follower.online(rpc, online, isResumed);
    this.#enter({ kind: 'initialized', online });
    if (this.#holdsReading) this.#readOrRest();
  }

  /** Finds out why a socket did not open: browsers report a refused upgrade like an unreachable host. */
  #probe(): void {
    if (this.#state.kind !== 'waiting') return;
    this.#options.probe?.().then(
      (failure) => {
        const { kind } = this.#state;
        if (failure === 'refused' && (kind === 'waiting' || kind === 'connecting')) {
          this.#end({ kind: 'refused', reason: REFUSED });
        }
      },
      // A failed probe means that the host is probably unreachable, so the connection is still retried.
      () => undefined,
    );
  }

  #ask(): boolean {
    if (this.#state.kind !== 'online' || !this.#rpc) return false;
    this.#rpc.request('environment/status', undefined, () => undefined);
    return true;
  }

  #end(event: ConnectionEvent): void {
    this.#liveness.stop();
    this.#sessionId = null;
    this.#leave(event);
    this.#options.follower.ended();
  }

  /** Ends everything that belongs to this socket; the state changes before pending requests are rejected. */
  #leave(event: ConnectionEvent): void {
    const socket = this.#socket;
    const rpc = this.#rpc;
    const wasOnline = this.#state.kind === 'online';
    this.#socket = null;
    this.#rpc = null;
    this.#stopTimer?.();
    this.#stopTimer = null;
    this.#liveness.rest(false);
    if (wasOnline) this.#options.follower.offline();
    this.#enter(event);
    socket?.close();
    rpc?.lose();
  }

  #enter(event: ConnectionEvent): void {
    const state = next(this.#state, event);
    if (state === this.#state) return;
    this.#state = state;
    this.#beat();
    for (const listener of this.#listeners) listener(state);
  }
}
