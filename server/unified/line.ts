// An exec-server session of the gateway's own making, as an agent has one over a socket: kept over a client that goes and
// comes back.
import { CloseCode } from '../../protocol/console-constants.ts';
import { plainReason } from '../../text/error-text.ts';
import type { Identity } from '../policy/identity.ts';
import type { Channel } from '../rpc/channel.ts';
import { MemoryChannel } from './memory-channel.ts';

/** Connects a channel as one of this identity's; throws the reason when it may have no more of them. */
export type Serve = (channel: Channel, identity: Identity) => void;

/** Receives the events of a process of the session, each once and in the order of their seqs. */
export interface ProcessEvents {
  /** Seq of the last event that was told. */
  readonly seq: number;
  /** False until its start is answered. */
  readonly isStarted: boolean;
  output(seq: number, bytes: Buffer): void;
  exited(seq: number, exitCode: number): void;
  closed(seq: number): void;
  /** The session is over, and its processes with it. */
  lost(): void;
}

/** An error reply. */
export class Refused extends Error {}

/** The line was cut before an answer came. */
export class Cut extends Error {}

/** A session that nobody is attached to is over sooner. */
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
  /** Address of the client, for the audit. */
  readonly from: string;
  readonly serve: Serve;
  /** Called with the label of each session that it begins, and of the one before; empty for none. */
  readonly began?: (label: string, before: string) => void;
  /** The session that it has from an earlier gateway. */
  readonly past?: { readonly label: string; readonly sessionId: string };
}

/** Events of processes while they are still behind: kept until what came before has been read. */
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
  /** Reason why its token is worth nothing any more. */
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

  /** Public label of its session; empty before there was one. */
  get label(): string {
    return this.#label;
  }

  /** From now on the session waits for the end of this user, too. */
  use(user: object): void {
    this.#users.add(user);
  }

  /** The session is detached when its last user has left. */
  leave(user: object): void {
    if (!this.#users.delete(user) || this.#users.size > 0) return;
    this.#leftAtMs = performance.now();
    this.#channel?.end();
    this.#cut();
  }

  /** True when nobody uses it any more, and its session is over by now. */
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

  /** Rejects with Refused for an error reply, with Cut when the line is gone before there is one. */
  async request(method: string, params: object): Promise<unknown> {
    await this.attach();
    return this.#ask(method, params);
  }

  /** Resolves when events are followed, and those are told that came while nobody did. */
  attach(): Promise<void> {
    if (this.#refusal !== null) return Promise.reject(new Refused(this.#refusal));
    if (this.#users.size === 0) return Promise.reject(new Cut('the client is gone'));
    this.#attached ??= this.#attach();
    return this.#attached;
  }

  #ask(method: string, params: object): Promise<unknown> {
    const channel = this.#channel;
    if (!channel) return Promise.reject(new Cut('the connection is gone'));
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
      // Its user may have left meanwhile, and another one have come.
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

  /** False when there is no such session any more. */
  async #greet(channel: MemoryChannel, resumeSessionId: string | null): Promise<boolean> {
    try {
      const result = this.#ask('initialize', { clientName: this.clientName, resumeSessionId });
      // Events of a resumed session may come before the reply has been awaited.
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
      // It ended, and its id was forgotten meanwhile.
      this.#lose(processId, events);
      return;
    }
    for (const { seq, chunk } of read.chunks) events.output(seq, Buffer.from(chunk, 'base64'));
    if (read.exited && read.exitCode !== null) events.exited(read.nextSeq - 1, read.exitCode);
    if (read.closed) events.closed(read.nextSeq - 1);
    const later = this.#behind.get(events) ?? [];
    this.#behind.delete(events);
    for (const tell of later) tell();
  }

  #lose(processId: string, events: ProcessEvents): void {
    this.forget(processId);
    events.lost();
  }

  #receive({ id, result, error, method, params }: Message): void {
    if (method !== undefined) {
      this.#told(method, params ?? {});
      return;
    }
    const pending = this.#pending.get(id ?? -1);
    if (!pending) return;
    this.#pending.delete(id ?? -1);
    if (error) pending.reject(new Refused(plainReason(error.message)));
    else pending.resolve(result);
  }

  #told(
    method: string,
    { processId = '', seq = 0, chunk = '', exitCode = 0 }: NonNullable<Message['params']>,
  ): void {
    const events = this.#processes.get(processId);
    if (!events) return;
    const tell = (): void => {
      if (seq <= events.seq) return;
      if (method === 'process/output') events.output(seq, Buffer.from(chunk, 'base64'));
      if (method === 'process/exited') events.exited(seq, exitCode);
      if (method === 'process/closed') events.closed(seq);
    };
    const later = this.#behind.get(events);
    if (later) later.push(tell);
    else tell();
  }

  #cut(): void {
    this.#channel = null;
    this.#attached = null;
    this.#behind.clear();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(new Cut('the connection is gone'));
  }
}
