// One process as seen from here: its output to a sink, input to it, and the questions about who is in control.
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
import type { ProcessInfo, SignalName } from '../protocol/console.ts';
import type { Size } from '../protocol/scalars.ts';

export interface AttachedProcessOptions {
  readonly key: string;
  readonly windowBytes: number;
  readonly connection: ClientConnection;
  readonly runtime: Runtime;
  readonly writer: StdinWriter;
  /** Called once, when nobody wants it any more. */
  detached(): void;
}

export class AttachedProcess implements RemoteProcess {
  readonly key: string;
  readonly #options: AttachedProcessOptions;
  readonly #ordered = new OrderedEvents();
  readonly #outlet = new Outlet((seq) => this.#attachment?.drawn(seq));
  /** Null while it is not online. */
  #rpc: RpcClient | null = null;
  /** Null also while it rests. */
  #attachment: Attachment | null = null;
  #wasAttached = false;
  /** Whether the connection went since it was attached. */
  #wasCut = false;
  /** Nobody looks. */
  #mayRest = false;
  /** A screen stands in for what is no longer kept when somebody looks again; without a tty nothing does. */
  #isTty = false;
  /** Whether it rested when the connection came back. */
  #hasRestedOn = false;
  #isDetached = false;
  #controlled = false;
  /** To be taken back: the labels, at most two, under which the gateway may still have this client in control. */
  #controlledAs: readonly string[] = [];

  constructor(options: AttachedProcessOptions) {
    this.key = options.key;
    this.#options = options;
  }

  /** Takes what is pushed; null while nothing is. */
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
        // Whatever the answer is: only what nobody answers is asked for again.
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
    // Whether it was heard or the connection went: nothing is attached afterwards.
    connection.request('process/detach', { key: this.key }).catch(() => undefined);
  }

  /** Attaches on this connection, from where its events stand. */
  online(rpc: RpcClient): void {
    // After `closed` nothing can come.
    if (this.#ordered.hasClosed) return;
    this.#rpc = rpc;
    this.#restOrFollow();
    this.#hasRestedOn = this.#attachment === null;
  }

  /** Whether it may do without what comes, until somebody looks; see `Processes`. */
  rest(mayRest: boolean): void {
    this.#mayRest = mayRest;
    this.#restOrFollow();
  }

  /** The gateway attached it to this connection when it started it, and gave it control. */
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
    // Of what is over nothing is attached any more, so that a size that is given to it would not come back.
    if (this.#controlled && !this.#ordered.hasClosed) this.#controlledAs = [connectionLabel];
    this.#controlled = false;
  }

  /** What it is and who controls it, as the gateway says; `label` is this connection's. */
  infoIs({ tty, controller }: Pick<ProcessInfo, 'tty' | 'controller'>, label: string): void {
    this.#isTty = tty;
    this.#controlled = controller === label;
    this.#restOrFollow();
    // Still its own former connection's, which the gateway has not found dead yet, is nobody's.
    const isFree = controller === null || this.#controlledAs.includes(controller);
    if (this.#controlled || !isFree) this.#controlledAs = [];
    // With this connection's label it has been asked for already.
    if (this.#controlledAs.length === 0 || this.#controlledAs.includes(label)) return;
    // Until it is answered: if this connection goes first, the gateway may have heard it all the same.
    this.#controlledAs = controller === null ? [label] : [controller, label];
    // Refused or lost: then it is not in control, which is what `controlled` says.
    this.control(true).catch(() => undefined);
  }

  /** Whether nothing of it comes while nobody looks. What is controlled goes on: nobody else answers what it asks. */
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
