// An exec-server session inside the gateway, like that of an agent over a socket; it survives reconnects of
// its clients.
import { CloseCode } from '../../protocol/console-constants.ts';
import { plainReason } from '../../text/error-text.ts';
import type { Identity } from '../policy/identity.ts';
import type { Channel } from '../rpc/channel.ts';
import { MemoryChannel } from './memory-channel.ts';

/** Connects a channel with this identity; throws an error with the reason when no further connection is allowed. */
export type Serve = (channel: Channel, identity: Identity) => void;

/** Receives the events of a process of the session, each once and in the order of their seqs. */
export interface ProcessEvents {
  /** Seq of the last received event. */
  readonly seq: number;
  /** False until the process has started. */
  readonly isStarted: boolean;
  output(seq: number, bytes: Buffer): void;
  exited(seq: number, exitCode: number): void;
  closed(seq: number): void;
  /** Called when no more events can be received, because the process or its session has ended. */
  lost(): void;
}

/** Thrown for an error reply. */
export class Refused extends Error {}

/** Thrown when the line was cut before a reply. */
export class Cut extends Error {}

/** Time after which an unused line is removed; its session expires earlier. */
const OVER_MS = 10 * 60 * 1000;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Chunk {
  readonly seq: number;
  readonly chunk: string;
}

interface ReadResult {
  readonly chunks: readonly Chunk[];
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: {
    readonly processId?: string;
    readonly seq?: number;
    readonly chunk?: string;
    readonly exitCode?: number;
  };
}

export interface LineOptions {
  readonly identity: Identity;
  readonly clientName: string;
  /** Address of the client for the audit log. */
  readonly from: string;
  readonly serve: Serve;
  /**
   * Called with the label of each new session, and the previous session's label, which is empty for the first session.
   */
  readonly began?: (label: string, before: string) => void;
  /** Session of an earlier gateway to resume; absent for a new one. */
  readonly past?: { readonly label: string; readonly sessionId: string };
}

/** Events of processes that are still catching up, queued until earlier events have been read. */
type Behind = Map<ProcessEvents, (() => void)[]>;

export class Line {
  readonly clientName: string;
  readonly #identity: Identity;
  readonly #from: string;
  readonly #serve: Serve;
  readonly #began: LineOptions['began'];
  readonly #users = new Set<object>();
  readonly #processes = new Map<string, ProcessEvents>();
  readonly #pending = new Map<number, Pending>();
  readonly #behind: Behind = new Map();
  #channel: MemoryChannel | null = null;
  #attached: Promise<void> | null = null;
  #sessionId: string | null = null;
  #label = '';
  #ids = 0;
  /** Reason why the token is no longer valid; null while it is. */
  #refusal: string | null = null;
  #leftAtMs = performance.now();

  constructor({ identity, clientName, from, serve, began, past }: LineOptions) {
    this.#identity = identity;
    this.clientName = clientName;
    this.#from = from;
    this.#serve = serve;
    this.#began = began;
    this.#sessionId = past?.sessionId ?? null;
    this.#label = past?.label ?? '';
  }

  get tokenId(): string {
    return this.#identity.tokenId;
  }

  /** Public label of the session; empty before the first session. */
  get label(): string {
    return this.#label;
  }

  /** Adds a user; the session is detached only when all users have left. */
  use(user: object): void {
    this.#users.add(user);
  }

  leave(user: object): void {
    if (!this.#users.delete(user) || this.#users.size > 0) return;
    this.#leftAtMs = performance.now();
    this.#channel?.end();
    this.#cut();
  }

  /** True when the line has no users, and its session has expired or its token is no longer valid. */
  get isOver(): boolean {
    return this.#users.size === 0 && (this.#refusal !== null || performance.now() - this.#leftAtMs > OVER_MS);
  }

  follow(processId: string, events: ProcessEvents): void {
    this.#processes.set(processId, events);
  }

  forget(processId: string): void {
    const events = this.#processes.get(processId);
    this.#processes.delete(processId);
    if (events) this.#behind.delete(events);
  }

  /** Sends a request. Rejects with Refused for an error reply, and with Cut when the line is cut before a reply. */
  async request(method: string, params: object): Promise<unknown> {
    await this.attach();
    return this.#ask(method, params);
  }

  /** Resolves when the session is attached, and the events since it was detached have been received. */
  attach(): Promise<void> {
    if (this.#refusal !== null) return Promise.reject(new Refused(this.#refusal));
    if (this.#users.size === 0) return Promise.reject(new Cut('the client has disconnected'));
    if (this.#attached) return this.#attached;
    const attached = this.#attach();
    this.#attached = attached;
    // An attempt that is refused at once fails before it is stored, so it is cleared here.
    attached.catch(() => {
      if (this.#attached === attached) this.#attached = null;
    });
    return attached;
  }

  #ask(method: string, params: object): Promise<unknown> {
    const channel = this.#channel;
    if (!channel) return Promise.reject(new Cut('the connection was closed'));
    this.#ids += 1;
    const id = this.#ids;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      channel.push({ id, method, params });
    });
  }

  async #attach(): Promise<void> {
    const channel = new MemoryChannel(this.#from, {
      onMessage: (text) => this.#receive(JSON.parse(text) as Message),
      onClosed: (code, reason) => {
        if (code === CloseCode.unauthorized) this.#refusal = reason;
        if (this.#channel === channel) this.#cut();
      },
    });
    this.#channel = channel;
    try {
      this.#serve(channel, this.#identity);
      await this.#initialize(channel);
    } catch (error) {
      channel.end();
      // A later attempt may already have replaced the channel.
      if (this.#channel === channel) this.#cut();
      throw error;
    }
  }

  async #initialize(channel: MemoryChannel): Promise<void> {
    const isResumed = this.#sessionId !== null && (await this.#greet(channel, this.#sessionId));
    if (!isResumed) {
      this.#sessionId = null;
      for (const [processId, events] of this.#processes) if (events.isStarted) this.#lose(processId, events);
      await this.#greet(channel, null);
      return;
    }
    const started = [...this.#processes].filter(([, events]) => events.isStarted);
    const read = started.map(([processId, events]) => this.#catchUp(processId, events));
    await Promise.all(read);
  }

  /**
   * Creates a session, or resumes one; returns false when the session cannot be resumed, usually because it has ended.
   */
  async #greet(channel: MemoryChannel, resumeSessionId: string | null): Promise<boolean> {
    try {
      const result = this.#ask('initialize', { clientName: this.clientName, resumeSessionId });
      // Events of a resumed session may arrive before the reply has been awaited.
      if (resumeSessionId !== null)
        for (const events of this.#processes.values()) if (events.isStarted) this.#behind.set(events, []);
      const { sessionId, console } = (await result) as {
        sessionId: string;
        console: { session: string };
      };
      this.#sessionId = sessionId;
      const before = this.#label;
      this.#label = console.session;
      if (before !== this.#label) this.#began?.(this.#label, before);
      channel.push({ method: 'initialized', params: {} });
      return true;
    } catch (error) {
      this.#behind.clear();
      if (resumeSessionId !== null && error instanceof Refused) return false;
      throw error;
    }
  }

  async #catchUp(processId: string, events: ProcessEvents): Promise<void> {
    let read: ReadResult;
    try {
      read = (await this.#ask('process/read', { processId, afterSeq: events.seq })) as ReadResult;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The session has no process with this id any longer, so no more events can arrive.
      this.#lose(processId, events);
      return;
    }
    for (const { seq, chunk } of read.chunks) events.output(seq, Buffer.from(chunk, 'base64'));
    if (read.exited && read.exitCode !== null) events.exited(read.nextSeq - 1, read.exitCode);
    if (read.closed) events.closed(read.nextSeq - 1);
    const later = this.#behind.get(events) ?? [];
    this.#behind.delete(events);
    for (const deliver of later) deliver();
  }

  #lose(processId: string, events: ProcessEvents): void {
    this.forget(processId);
    events.lost();
  }

  #receive({ id, result, error, method, params }: Message): void {
    if (method !== undefined) {
      this.#notified(method, params ?? {});
      return;
    }
    const pending = this.#pending.get(id ?? -1);
    if (!pending) return;
    this.#pending.delete(id ?? -1);
    if (error) pending.reject(new Refused(plainReason(error.message)));
    else pending.resolve(result);
  }

  #notified(
    method: string,
    { processId = '', seq = 0, chunk = '', exitCode = 0 }: NonNullable<Message['params']>,
  ): void {
    const events = this.#processes.get(processId);
    if (!events) return;
    const deliver = (): void => {
      if (seq <= events.seq) return;
      if (method === 'process/output') events.output(seq, Buffer.from(chunk, 'base64'));
      if (method === 'process/exited') events.exited(seq, exitCode);
      if (method === 'process/closed') events.closed(seq);
    };
    const later = this.#behind.get(events);
    if (later) later.push(deliver);
    else deliver();
  }

  #cut(): void {
    this.#channel = null;
    this.#attached = null;
    this.#behind.clear();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(new Cut('the connection was closed'));
  }
}
