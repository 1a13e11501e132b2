// All processes of all sessions: maintains the list, starts processes, and routes events to them.
import type { Person } from '../protocol/activity.ts';
import type { Approval, ApprovalSettings } from '../protocol/approvals.ts';
import type { ConsoleChanged, ProcessInfo, SessionInfo } from '../protocol/console.ts';
import { ErrorCode } from '../protocol/jsonrpc.ts';
import type { Requests } from '../protocol/methods.ts';
import type { Size } from '../protocol/scalars.ts';
import type { ClientConnection, ConnectionFollower } from './connection.ts';
import {
  ConnectionLost,
  NotOnline,
  RequestError,
  type Online,
  type Processes,
  type RemoteProcess,
  type StartRequest,
} from './exec-client.ts';
import { ProcessList } from './process-list.ts';
import { AttachedProcess } from './remote-process.ts';
import type { RpcClient } from './rpc-client.ts';
import type { Runtime } from './runtime.ts';
import { startParams } from './start-params.ts';
import { StdinWriter } from './stdin-writer.ts';
import { readChanged, readPush, readStart, readWatch } from './wire.ts';

export interface ClientProcessesOptions {
  readonly windowBytes: number;
  readonly runtime: Runtime;
  /** See `ExecClientOptions`; null if there is no earlier change. */
  readonly sinceChange: number | null;
}

interface Link {
  readonly connection: ClientConnection;
  readonly rpc: RpcClient;
  readonly label: string;
  /** Sizes of unanswered starts by processId: the first event can arrive before the reply. */
  readonly starting: Map<string, Size | null>;
}

export class ClientProcesses implements Processes, ConnectionFollower {
  readonly #options: ClientProcessesOptions;
  readonly #list: ProcessList;
  readonly #attached = new Map<string, AttachedProcess>();
  /** Writers by key; retained after a detach while the process is listed, so that their numbering continues. */
  readonly #writers = new Map<string, StdinWriter>();
  #connection: ClientConnection | null = null;
  #link: Link | null = null;
  #startCount = 0;
  #isResting = false;

  constructor(options: ClientProcessesOptions) {
    this.#options = options;
    this.#list = new ProcessList(options.sinceChange);
  }

  /** Sets the connection; call once, before anything else. */
  liveOn(connection: ClientConnection): void {
    this.#connection = connection;
  }

  list(): readonly ProcessInfo[] {
    return this.#list.processes;
  }

  people(): readonly Person[] {
    return this.#list.people;
  }

  approvals(): readonly Approval[] {
    return this.#list.approvals;
  }

  approvalSettings(): ApprovalSettings | null {
    return this.#list.approvalSettings;
  }

  sessions(): readonly SessionInfo[] {
    return this.#list.sessions;
  }

  get(key: string): ProcessInfo | undefined {
    return this.#list.get(key);
  }

  remember(info: ProcessInfo): void {
    this.#list.remember(info);
  }

  forget(key: string): void {
    this.#list.forget(key);
  }

  onChanged(listener: (change: ConsoleChanged) => void): () => void {
    return this.#list.onChanged(listener);
  }

  start(request: StartRequest): Promise<RemoteProcess> {
    const { windowBytes } = this.#options;
    return this.#start('process/start', request.size, (processId) =>
      startParams(request, processId, windowBytes),
    );
  }

  restart(key: string, size?: Size, withoutSandbox = false): Promise<RemoteProcess> {
    const { windowBytes } = this.#options;
    return this.#start('process/restart', size, (newProcessId) => ({
      key,
      newProcessId,
      size,
      windowBytes,
      ...(withoutSandbox && { withoutSandbox }),
    }));
  }

  #start<M extends 'process/start' | 'process/restart'>(
    method: M,
    size: Size | undefined,
    paramsFor: (processId: string) => Requests[M]['params'],
  ): Promise<RemoteProcess> {
    const link = this.#link;
    if (!link) return Promise.reject(new NotOnline(method));
    this.#startCount += 1;
    const chance = Math.floor(this.#options.runtime.random() * 2 ** 32).toString(36);
    const processId = `${link.label}-${this.#startCount}-${chance}`;
    link.starting.set(processId, size ?? null);
    return new Promise((resolve, reject) => {
      link.rpc.request(method, paramsFor(processId), (reply) => {
        const started = reply.kind === 'result' ? readStart(reply.result) : null;
        if (started) resolve(this.#started(link, processId, started.key));
        else if (reply.kind === 'lost') reject(new ConnectionLost(method));
        else reject(startError(method, reply.kind === 'error' ? reply.error : null));
        link.starting.delete(processId);
      });
    });
  }

  attach(key: string): RemoteProcess {
    const there = this.#attached.get(key);
    if (there) return there;
    const link = this.#link;
    const processId = this.#list.get(key)?.processId;
    if (link && processId !== undefined && link.starting.has(processId)) {
      return this.#started(link, processId, key);
    }
    const attached = this.#add(key);
    this.#reportInfo(key);
    if (link) attached.online(link.rpc);
    return attached;
  }

  rest(isResting: boolean): void {
    this.#isResting = isResting;
    for (const attached of this.#attached.values()) attached.rest(isResting);
  }

  online(rpc: RpcClient, online: Online, isResumed: boolean): void {
    this.#link = {
      connection: this.#live(),
      rpc,
      label: online.connection,
      starting: new Map(),
    };
    // Unanswered writes are repeated first, so that later writes can't overtake them.
    for (const writer of this.#writers.values()) writer.online(rpc, isResumed);
    const sinceChange = this.#list.change;
    const params = { isBrief: true, ...(sinceChange !== null && { sinceChange }) };
    rpc.request('console/watch', params, (reply) => {
      const watched = reply.kind === 'result' ? readWatch(reply.result) : null;
      if (!watched) return;
      this.#list.replace(watched);
      for (const key of this.#attached.keys()) this.#reportInfo(key);
    });
    for (const attached of this.#attached.values()) attached.online(rpc);
  }

  offline(): void {
    const label = this.#link?.label ?? '';
    this.#link = null;
    for (const writer of this.#writers.values()) writer.offline();
    for (const attached of this.#attached.values()) attached.offline(label);
  }

  ended(): void {
    for (const writer of this.#writers.values()) writer.abandon();
  }

  notification(method: string, params: unknown): boolean {
    if (method === 'console/changed') {
      const changed = readChanged(params);
      if (changed) this.#changed(changed);
      return changed !== null;
    }
    const push = readPush(method, params);
    if (!push) return false;
    const link = this.#link;
    if (link?.starting.has(push.processId)) this.#started(link, push.processId, push.key);
    this.#attached.get(push.key)?.attachment?.push(push.event);
    return true;
  }

  #changed(changed: ConsoleChanged): void {
    this.#list.apply(changed);
    for (const { key } of changed.processes ?? []) this.#reportInfo(key);
    for (const key of changed.removed?.keys ?? []) {
      if (!this.#attached.has(key) && this.#writers.get(key)?.isIdle) this.#writers.delete(key);
    }
  }

  #reportInfo(key: string): void {
    const info = this.#list.get(key);
    if (info && this.#link) this.#attached.get(key)?.infoIs(info, this.#link.label);
  }

  /**
   * Returns the process of a start. The first call also follows the process; it is made on the reply, on the first
   * event or in `attach`, whichever is earliest.
   */
  #started(link: Link, processId: string, key: string): AttachedProcess {
    const there = this.#attached.get(key);
    if (there) return there;
    const attached = this.#add(key);
    attached.started(link.rpc, link.starting.get(processId) ?? null);
    return attached;
  }

  #add(key: string): AttachedProcess {
    const { windowBytes, runtime } = this.#options;
    const attached = new AttachedProcess({
      key,
      windowBytes,
      runtime,
      connection: this.#live(),
      writer: this.#writer(key),
      detached: () => this.#attached.delete(key),
    });
    attached.rest(this.#isResting);
    this.#attached.set(key, attached);
    return attached;
  }

  #writer(key: string): StdinWriter {
    const there = this.#writers.get(key);
    if (there) return there;
    const writer = new StdinWriter({ key });
    this.#writers.set(key, writer);
    if (this.#link) writer.online(this.#link.rpc, true);
    return writer;
  }

  #live(): ClientConnection {
    if (!this.#connection) throw new Error('invariant violation: processes without a connection');
    return this.#connection;
  }
}

function startError(
  method: string,
  error: { readonly code: number; readonly message: string } | null,
): RequestError {
  const { code, message } = error ?? {
    code: ErrorCode.internal,
    message: 'the gateway sent a malformed reply',
  };
  return new RequestError(method, code, message);
}
