// A process as this client follows it: passes output to a sink, sends input, and requests and regains
// control.
import { Attachment, Outlet } from './attachment.ts';
import type { ClientConnection } from './connection.ts';
import {
  ConnectionLost,
  NotOnline,
  RequestError,
  type OutputSink,
  type RemoteProcess,
  type WriteOutcome,
} from './exec-client.ts';
import { OrderedEvents } from './ordered-events.ts';
import type { RpcClient } from './rpc-client.ts';
import type { Runtime } from './runtime.ts';
import type { StdinWriter } from './stdin-writer.ts';
import type { ProcessInfo } from '../protocol/console.ts';
import type { SignalName } from '../protocol/signals.ts';
import type { Size } from '../protocol/scalars.ts';

export interface AttachedProcessOptions {
  readonly key: string;
  readonly windowBytes: number;
  readonly connection: ClientConnection;
  readonly runtime: Runtime;
  readonly writer: StdinWriter;
  /** Called once, on `detach`. */
  detached(): void;
}

export class AttachedProcess implements RemoteProcess {
  readonly key: string;
  readonly #options: AttachedProcessOptions;
  readonly #ordered = new OrderedEvents();
  readonly #outlet = new Outlet((seq) => this.#attachment?.drawn(seq));
  /** Null while offline, and on a connection made after the process has closed. */
  #rpc: RpcClient | null = null;
  /** Null while offline or resting, and on a connection made after the process has closed. */
  #attachment: Attachment | null = null;
  #wasAttached = false;
  /** True from a lost connection until the process is attached again, if it was attached before. */
  #wasCut = false;
  /** True while nobody is viewing. */
  #mayRest = false;
  /** True for a tty. Without one, no snapshot can replace output that is evicted during a rest. */
  #isTty = false;
  /** True if the process was resting when the connection came back. */
  #hasRestedOn = false;
  #isDetached = false;
  #controlled = false;
  /**
   * Labels (at most two) under which the gateway may still list this client as the controller; non-empty
   * while control is to be regained.
   */
  #controlledAs: readonly string[] = [];

  constructor(options: AttachedProcessOptions) {
    this.key = options.key;
    this.#options = options;
  }

  /** The attachment that receives pushed events; null when not attached. */
  get attachment(): Attachment | null {
    return this.#attachment;
  }

  get complete(): boolean {
    return this.#outlet.isComplete;
  }

  get controlled(): boolean {
    return this.#controlled;
  }

  follow(sink: OutputSink): () => void {
    return this.#outlet.follow(sink);
  }

  async write(bytes: Uint8Array): Promise<WriteOutcome> {
    this.#demandOnline('process/write');
    return this.#options.writer.write(bytes);
  }

  async closeStdin(): Promise<WriteOutcome> {
    this.#demandOnline('process/closeStdin');
    return this.#options.writer.closeStdin();
  }

  async signal(signal: SignalName): Promise<void> {
    await this.#options.connection.request('process/signal', { key: this.key, signal });
  }

  terminate(graceMs?: number): Promise<{ readonly running: boolean }> {
    return this.#options.connection.request('process/terminate', {
      key: this.key,
      ...(graceMs !== undefined && { graceMs }),
    });
  }

  control(take: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#options.connection.call('process/control', { key: this.key, take }, (reply) => {
        if (reply.kind === 'lost') {
          reject(new ConnectionLost('process/control'));
          return;
        }
        // Any reply settles the request; only an unanswered request is repeated.
        this.#controlledAs = [];
        if (reply.kind === 'error') {
          reject(new RequestError('process/control', reply.error.code, reply.error.message));
        } else {
          this.#controlled = take;
          this.#restOrFollow();
          resolve();
        }
      });
    });
  }

  async giveControl(connection: string): Promise<void> {
    await this.#options.connection.request('process/control', { key: this.key, take: true, to: connection });
    this.#controlled = false;
    this.#restOrFollow();
  }

  async resize(size: Size): Promise<void> {
    const { rows, cols } = size;
    await this.#options.connection.request('process/resize', { key: this.key, rows, cols });
  }

  detach(): void {
    if (this.#isDetached) return;
    this.#isDetached = true;
    this.#attachment?.stop();
    this.#options.detached();
    const { connection } = this.#options;
    if (connection.state.kind !== 'online') return;
    // A lost request means a lost connection, and the process is detached either way.
    connection.request('process/detach', { key: this.key }).catch(() => undefined);
  }

  /** Continues after the last event received, now on this connection; a process at rest or closed is not attached. */
  online(rpc: RpcClient): void {
    // No event can follow `closed`.
    if (this.#ordered.hasClosed) return;
    this.#rpc = rpc;
    this.#restOrFollow();
    this.#hasRestedOn = this.#attachment === null;
  }

  /** Sets `mayRest`: while it is true, a terminal that this client does not control is not followed. */
  rest(mayRest: boolean): void {
    this.#mayRest = mayRest;
    this.#restOrFollow();
  }

  /**
   * Follows a process that this client started: the gateway has attached it and given this connection
   * control.
   */
  started(rpc: RpcClient, size: Size | null): void {
    this.#rpc = rpc;
    this.#wasAttached = true;
    this.#controlled = true;
    this.#attach(rpc).startFollowing();
    if (size) this.#attachment?.push({ kind: 'resized', afterSeq: 0, size });
  }

  offline(connectionLabel: string): void {
    this.#rpc = null;
    this.#attachment?.stop();
    this.#attachment = null;
    this.#wasCut = this.#wasAttached;
    // A closed process is not attached again, so control of it could not be regained.
    if (this.#controlled && !this.#ordered.hasClosed) this.#controlledAs = [connectionLabel];
    this.#controlled = false;
  }

  /** Applies the tty flag and controller reported by the gateway; `label` is this connection's. */
  infoIs({ tty, controller }: Pick<ProcessInfo, 'tty' | 'controller'>, label: string): void {
    this.#isTty = tty;
    this.#controlled = controller === label;
    this.#restOrFollow();
    // Control held by this client's previous connection, which the gateway still considers alive, counts as
    // free.
    const isFree = controller === null || this.#controlledAs.includes(controller);
    if (this.#controlled || !isFree) this.#controlledAs = [];
    // Control is not to be regained, or this connection has already requested it.
    if (this.#controlledAs.length === 0 || this.#controlledAs.includes(label)) return;
    // The claim is stored until the reply: even if this connection is lost first, the gateway may have
    // received the request.
    this.#controlledAs = controller === null ? [label] : [controller, label];
    // A rejected or lost request leaves `controlled` false.
    this.control(true).catch(() => undefined);
  }

  /**
   * True while the process is not followed because nobody is viewing. A controlled process stays followed: no
   * other client answers its queries.
   */
  get #isAtRest(): boolean {
    return this.#mayRest && this.#isTty && !this.#controlled;
  }

  #restOrFollow(): void {
    const rpc = this.#rpc;
    if (!rpc || this.#isDetached) return;
    if (this.#isAtRest) {
      if (!this.#attachment) return;
      this.#attachment.stop();
      this.#attachment = null;
      rpc.request('process/detach', { key: this.key }, () => undefined);
    } else if (!this.#attachment && !this.#ordered.hasClosed) {
      this.#attach(rpc).start(() => {
        if (this.#wasCut) this.#outlet.give({ kind: 'reconnected', isJustNow: !this.#hasRestedOn });
        this.#wasAttached = true;
        this.#wasCut = false;
      });
    }
  }

  #attach(rpc: RpcClient): Attachment {
    const { key, windowBytes, runtime, connection } = this.#options;
    this.#attachment = new Attachment({
      key,
      windowBytes,
      rpc,
      runtime,
      ordered: this.#ordered,
      outlet: this.#outlet,
      violated: (reason) => connection.drop(reason),
    });
    return this.#attachment;
  }

  #demandOnline(method: string): void {
    if (this.#options.connection.state.kind !== 'online') throw new NotOnline(method);
  }
}
