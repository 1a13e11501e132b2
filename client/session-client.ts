// A client's session on any exec-server: starts processes whose events and input survive lost connections.
import type { Requests } from '../protocol/methods.ts';
import type { EnvironmentPolicy } from '../protocol/process.ts';
import type { Size } from '../protocol/scalars.ts';
import type { ConnectionState } from './connection-state.ts';
import { ClientConnection, type ConnectionFollower } from './connection.ts';
import { ConnectionLost, RequestError, SessionLost, type Connection, type Online } from './exec-client.ts';
import { LIVENESS, type LivenessLimits } from './liveness.ts';
import { REFUSED, type OpenFailure } from './open-failure.ts';
import { OwnProcess } from './own-process.ts';
import { readOwnPage } from './own-page.ts';
import type { Reply, RpcClient } from './rpc-client.ts';
import { systemRuntime, type Runtime } from './runtime.ts';
import type { SocketLike } from './socket-like.ts';
import { fileUri } from './start-params.ts';
import { StdinWriter } from './stdin-writer.ts';
import { readOwnPush } from './wire.ts';

export interface SessionClientOptions {
  /** Creates a WebSocket to the server with the required credential; called for every attempt. */
  readonly socket: () => SocketLike;
  /** Client name shown to people. */
  readonly clientName: string;
  readonly probe?: () => Promise<OpenFailure>;
  readonly runtime?: Runtime;
  readonly liveness?: LivenessLimits;
  /** Id of a session transferred by another client; default: a new session. */
  readonly resume?: string;
}

/** Data with which another client takes over the session and a process. */
export interface HandedOver {
  /** Secret that resumes the session. */
  readonly sessionId: string;
  readonly processId: string;
  readonly tty: boolean;
  /** Seq of the last event read. */
  readonly seq: number;
  /** Id of the last write; 0 if there was none. */
  readonly lastWriteId: number;
}

export interface OwnStartRequest {
  readonly argv: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment (default: empty); with `envPolicy`, variables that override those of the policy. */
  readonly env?: Readonly<Record<string, string>>;
  readonly envPolicy?: EnvironmentPolicy;
  /** Default: false. */
  readonly tty?: boolean;
  /** True for a process without a tty but with a stdin; default false. */
  readonly pipeStdin?: boolean;
  readonly arg0?: string;
  /** Initial size of the terminal; other exec-servers ignore it. */
  readonly size?: Size;
  readonly label?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** True to merge stderr into stdout, like `2>&1`; other exec-servers ignore it. */
  readonly joinStderr?: boolean;
  /** True to kill the process when this client's connection is lost; other exec-servers ignore it. */
  readonly endsWithConnection?: boolean;
}

export class SessionClient implements ConnectionFollower {
  readonly #connection: ClientConnection;
  readonly #processes = new Map<string, OwnProcess>();
  /** Writers of all processes, including ended ones until the result of each write is known. */
  readonly #writers = new Map<string, StdinWriter>();
  /** Ids of starts whose reply was lost with the connection: their processes may be running without an owner. */
  readonly #orphans = new Set<string>();
  readonly #full = new Set<OwnProcess>();
  readonly #probe: () => Promise<OpenFailure>;
  /** Prefix of this client's process ids, unique within the session. */
  readonly #prefix: string;
  #started = 0;
  #rpc: RpcClient | null = null;
  #offersConsole = false;

  constructor(options: SessionClientOptions) {
    const { clientName, probe, runtime = systemRuntime, liveness = LIVENESS } = options;
    this.#probe = probe ?? (() => Promise.resolve('unreachable'));
    this.#prefix = Math.floor(runtime.random() * 2 ** 40).toString(36);
    this.#connection = new ClientConnection({
      socket: options.socket,
      clientName,
      probe: this.#probe,
      runtime,
      liveness,
      follower: this,
      isOwnSession: true,
      resume: options.resume,
    });
  }

  get connection(): Connection {
    return this.#connection;
  }

  /**
   * Connects; resolves when online, rejects when the first attempt fails. Lost connections are retried from then on.
   */
  async open(): Promise<void> {
    const state = await new Promise<ConnectionState>((resolve) => {
      const undo = this.#connection.onState((next) => {
        if (next.kind !== 'online' && next.kind !== 'waiting' && next.kind !== 'failed') return;
        undo();
        resolve(next);
      });
      this.#connection.open();
    });
    if (state.kind === 'online') return;
    const isRefused = state.kind === 'waiting' && (await this.#probe()) === 'refused';
    this.#connection.close();
    if (isRefused) throw new Error(REFUSED);
    throw new Error('reason' in state ? state.reason : 'the client was closed');
  }

  /** Closes the connection for good; the server ends unpinned processes, at the latest when the session expires. */
  close(): void {
    this.#connection.close();
  }

  /**
   * Starts a process. Rejects with RequestError when it could not be started, NotOnline while offline, and
   * ConnectionLost when the outcome is unknown.
   */
  async start(request: OwnStartRequest): Promise<OwnProcess> {
    this.#started += 1;
    const processId = `${this.#prefix}-${this.#started}`;
    const tty = request.tty ?? false;
    const process = this.#add(processId, { tty, seq: 0, lastWriteId: 0 });
    try {
      await this.#connection.request('process/start', {
        processId,
        argv: [...request.argv],
        cwd: fileUri(request.cwd),
        env: { ...request.env },
        tty,
        pipeStdin: request.pipeStdin ?? false,
        ...(request.envPolicy && { envPolicy: request.envPolicy }),
        ...(request.arg0 !== undefined && { arg0: request.arg0 }),
        ...(request.size && { size: request.size }),
        ...(request.label !== undefined && { label: request.label }),
        ...(request.metadata && { metadata: request.metadata }),
        ...(request.joinStderr && { joinStderr: true }),
        ...(request.endsWithConnection && { endsWithConnection: true }),
      });
    } catch (error) {
      if (error instanceof ConnectionLost) this.#orphans.add(processId);
      this.#forget(processId);
      throw error;
    }
    if (this.#rpc) this.#writers.get(processId)?.online(this.#rpc, true);
    return process;
  }

  /**
   * Closes this client, and returns the data with which another one takes over the session and reads the process's
   * events after `seq`. Throws SessionLost when there is no session.
   */
  handOver({ processId, tty }: OwnProcess, seq: number): HandedOver {
    const { sessionId } = this.#connection;
    if (sessionId === null) throw new SessionLost();
    const lastWriteId = this.#writers.get(processId)?.lastWriteId ?? 0;
    this.close();
    return { sessionId, processId, tty, seq, lastWriteId };
  }

  /** Takes over a process from another client. Call before `open`, on a client that resumes the same session. */
  takeOver({ processId, ...from }: HandedOver): OwnProcess {
    return this.#add(processId, from);
  }

  #add(
    processId: string,
    { tty, seq, lastWriteId }: Pick<HandedOver, 'tty' | 'seq' | 'lastWriteId'>,
  ): OwnProcess {
    const writer = new StdinWriter({ processId }, lastWriteId);
    const offersConsole = (): boolean => this.#offersConsole;
    const session = {
      get offersConsole() {
        return offersConsole();
      },
      call: (
        method: 'process/signal' | 'process/terminate' | 'process/resize' | 'process/read',
        params: object,
      ) => this.#connection.request(method, params as Requests[typeof method]['params']),
      full: (process: OwnProcess, isFull: boolean) => this.#fullChanged(process, isFull),
    };
    const process = new OwnProcess(processId, { session, writer, tty, seq });
    // The process is registered now, because the first event may come before the reply.
    this.#processes.set(processId, process);
    this.#writers.set(processId, writer);
    return process;
  }

  online(rpc: RpcClient, online: Online, isResumed: boolean): void {
    this.#rpc = rpc;
    this.#offersConsole = online.connection !== '';
    if (!isResumed) {
      this.#orphans.clear();
      this.#failAll(new SessionLost());
      return;
    }
    for (const processId of this.#orphans) rpc.request('process/terminate', { processId }, () => undefined);
    this.#orphans.clear();
    for (const process of this.#processes.values()) this.#catchUp(rpc, process);
    for (const writer of this.#writers.values()) writer.online(rpc, true);
  }

  offline(): void {
    this.#rpc = null;
    for (const process of this.#processes.values()) process.offline();
    for (const writer of this.#writers.values()) writer.offline();
  }

  ended(): void {
    this.#failAll(new SessionLost());
  }

  notification(method: string, params: unknown): boolean {
    const push = readOwnPush(method, params);
    if (!push) return false;
    const process = this.#processes.get(push.processId);
    process?.push(push.event);
    if (process?.isClosed) this.#forget(push.processId);
    return true;
  }

  #catchUp(rpc: RpcClient, process: OwnProcess): void {
    const { processId, lastSeq } = process;
    rpc.request('process/read', { processId, afterSeq: lastSeq }, (reply: Reply) => {
      if (reply.kind === 'lost') return;
      const page = reply.kind === 'result' ? readOwnPage(reply.result) : null;
      if (page) process.caughtUp(page);
      else if (reply.kind === 'error')
        process.fail(new RequestError('process/read', reply.error.code, reply.error.message));
      else process.fail(new Error('the server sent a malformed reply to process/read'));
      if (process.isClosed || !page) this.#forget(processId);
    });
  }

  /** Pauses reading of the whole connection while a process's queue is full: the plain protocol has no credit. */
  #fullChanged(process: OwnProcess, isFull: boolean): void {
    if (isFull) this.#full.add(process);
    else this.#full.delete(process);
    this.#holdReading();
  }

  #holdReading(): void {
    this.#connection.holdReading(this.#full.size > 0);
  }

  #forget(processId: string): void {
    this.#processes.delete(processId);
    for (const [id, writer] of this.#writers) {
      if (writer.isIdle && !this.#processes.has(id)) this.#writers.delete(id);
    }
  }

  #failAll(error: Error): void {
    for (const process of this.#processes.values()) process.fail(error);
    for (const writer of this.#writers.values()) writer.abandon();
    this.#processes.clear();
    this.#writers.clear();
    // The failed processes receive no more data, so their full queues must not pause the processes of a new session.
    this.#full.clear();
    this.#holdReading();
  }
}
