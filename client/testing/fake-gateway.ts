// In-memory gateway for client tests, with the real rules of attach, read, credit, gaps, sessions and
// writeIds.
import type { ConsoleChanged, ProcessInfo, WatchResult } from '../../protocol/console.ts';
import { parseMessage, type RequestId } from '../../protocol/jsonrpc.ts';
import { FakePeer, type Outcome } from './fake-peer.ts';
import { FakeProcess } from './fake-process.ts';
import type { TestRuntime } from './manual-runtime.ts';
import { SocketPair } from './socket-pair.ts';

export interface FakeGatewayOptions {
  readonly runtime: TestRuntime;
  /** Bytes of output retained per process; default: 1 MiB. */
  readonly retainedBytes?: number;
  /** Longest delay of a message in flight, and of a `process/read` before it is handled; default: none. */
  readonly delayMs?: number;
}

export interface FakeSession {
  readonly id: string;
  attached: FakePeer | null;
}

/** Replaces the reply to one method; undefined means the default reply. */
type Answer = (params: Readonly<Record<string, unknown>>, peer: FakePeer) => Outcome | undefined;

export class FakeGateway {
  readonly runtime: TestRuntime;
  readonly #options: FakeGatewayOptions;
  readonly processes = new Map<string, FakeProcess>();
  readonly sessions = new Map<string, FakeSession>();
  readonly peers: FakePeer[] = [];
  /** All requests received, in order, over all connections. */
  readonly requests: { readonly method: string; readonly params: Record<string, unknown> }[] = [];
  readonly sockets: SocketPair[] = [];
  /** False to refuse all connections. */
  isUp = true;
  readonly refused = new Set<string>();
  readonly answers = new Map<string, Answer>();
  /** Additional members of the watch result. */
  watched: () => Partial<WatchResult> = () => ({});
  /** Additional members of the initialize result. */
  initializeExtra: Record<string, unknown> = {};
  readonly #held = new Map<string, (() => void)[]>();
  #count = 0;

  constructor(options: FakeGatewayOptions) {
    this.runtime = options.runtime;
    this.#options = options;
  }

  get delayMs(): number {
    return this.#options.delayMs ?? 0;
  }

  /** The client's `socket` option. */
  readonly dial = (): SocketPair => {
    const socket = new SocketPair(this.runtime, this.delayMs);
    this.sockets.push(socket);
    if (!this.isUp) {
      socket.refuse();
      return socket;
    }
    this.#count += 1;
    const peer = new FakePeer(this, socket, `c${this.#count}`);
    this.peers.push(peer);
    socket.accept({
      message: (text) => this.#receive(peer, text),
      closed: () => peer.closed(),
    });
    return socket;
  };

  get socket(): SocketPair {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('no client has connected');
    return socket;
  }

  start(key: string, processId = `id of ${key}`, facts: Partial<ProcessInfo> = {}): FakeProcess {
    const process = new FakeProcess(key, processId, this.#options.retainedBytes ?? 1024 * 1024);
    process.facts = facts;
    process.tty = facts.tty ?? true;
    process.changed = () => {
      for (const peer of this.peers) peer.wake(process);
    };
    this.processes.set(key, process);
    this.report(process);
    return process;
  }

  /** Sends a process's current state to all watchers. */
  report(process: FakeProcess): void {
    const processes: ProcessInfo[] = [process.info()];
    this.notifyAll({ processes });
  }

  remove(key: string): void {
    this.processes.delete(key);
    this.notifyAll({ removed: { keys: [key], sessions: [] } });
  }

  notifyAll(changed: ConsoleChanged): void {
    for (const peer of this.peers) peer.report(changed);
  }

  setController(process: FakeProcess, controller: string | null): void {
    process.controller = controller;
    this.report(process);
  }

  /** Forgets all sessions, as if they had expired. */
  forgetSessions(): void {
    this.sessions.clear();
  }

  /** Holds requests of this method until the returned function is called; they are then handled in order. */
  hold(method: string): () => void {
    const held: (() => void)[] = [];
    this.#held.set(method, held);
    return () => {
      this.#held.delete(method);
      for (const answer of held) answer();
    };
  }

  countOf(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }

  #receive(peer: FakePeer, text: string): void {
    const message = parseMessage(text);
    if (message.kind === 'notification') return;
    if (message.kind !== 'request') throw new Error(`the client sent ${text}`);
    const { id, method } = message;
    const params = (message.params ?? {}) as Record<string, unknown>;
    this.requests.push({ method, params });
    // Reads are delayed, so that events printed meanwhile can be pushed before the reply.
    const isHeld = method === 'process/read' && this.delayMs > 0;
    const answer = (): void => this.#answer(peer, id, method, params);
    const held = this.#held.get(method);
    if (held) held.push(answer);
    else if (isHeld) this.runtime.after(this.runtime.pick(0, this.delayMs), answer);
    else answer();
  }

  #answer(peer: FakePeer, id: RequestId, method: string, params: Record<string, unknown>): void {
    if (peer.isClosed) return;
    const outcome = peer.handle(method, params);
    if ('code' in outcome) peer.send({ id, error: outcome });
    else peer.send({ id, result: outcome.result });
    peer.afterReply();
  }
}
