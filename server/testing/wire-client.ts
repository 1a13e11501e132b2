// A test client over any transport: it stores everything received in order, and can wait for it.

export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Maximum time without a message while a test waits; the wait then fails with the name of what is missing. */
const PATIENCE_MS = 20_000;

/** A test's end of a transport. */
export interface Wire {
  /** Sends one frame, which need not be a valid message. */
  send(message: string | Buffer): void;
  /** Stops reading, so that later data waits in the socket. */
  pause(): void;
  resume(): void;
  /** Cuts the connection without a close handshake. */
  cut(): void;
  /** Registers the receiver; call it once. */
  listen(events: WireEvents): void;
}

export interface WireEvents {
  readonly onMessage: (text: string) => void;
  readonly onClose: (code: number, reason: string) => void;
}

export class WireClient {
  readonly log: Message[] = [];
  readonly wire: Wire;
  sessionId = '';
  #nextId = 1;
  #closed: { code: number; reason: string } | null = null;
  readonly #checks = new Set<() => void>();

  constructor(wire: Wire) {
    this.wire = wire;
    wire.listen({
      onMessage: (text) => {
        this.log.push(JSON.parse(text) as Message);
        this.#check();
      },
      onClose: (code, reason) => {
        this.#closed = { code, reason };
        this.#check();
      },
    });
  }

  async initialize(resumeSessionId?: string): Promise<Record<string, unknown>> {
    const result = await this.request('initialize', {
      clientName: 'test',
      resumeSessionId,
    });
    this.sessionId = String(result['sessionId']);
    this.send({ method: 'initialized' });
    return result;
  }

  send(message: object): void {
    this.wire.send(JSON.stringify(message));
  }

  /** Sends a request; rejects with an Error that has the code of the reply. */
  async request<R = Record<string, unknown>>(method: string, params?: unknown): Promise<R> {
    const id = this.#nextId++;
    this.send({ id, method, params });
    const reply = await this.until(
      () => this.log.find((message) => message.id === id),
      `the reply to ${method}`,
    );
    if (reply.error) throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
    return reply.result as R;
  }

  /** Starts a process with default params; returns its id and key. */
  async start(
    argv: string[],
    params: Record<string, unknown> = {},
  ): Promise<{ processId: string; key: string }> {
    const processId = `p${this.#nextId++}`;
    return this.request('process/start', {
      processId,
      argv,
      cwd: 'file:///tmp',
      env: { PATH: '/usr/bin:/bin', TERM: 'xterm-256color' },
      tty: false,
      ...params,
    });
  }

  write(address: { processId: string } | { key: string }, text: string, writeId = `w${this.#nextId++}`) {
    return this.request('process/write', {
      ...address,
      chunk: Buffer.from(text).toString('base64'),
      writeId,
    });
  }

  /** Returns the notifications about one process, by `processId` (of this client's session) or `key`. */
  events(name: string): Message[] {
    return this.log.filter((message) => isAbout(message, name));
  }

  output(name: string): Buffer {
    const chunks = this.events(name).filter(({ method }) => method === 'process/output');
    return Buffer.concat(chunks.map(({ params }) => Buffer.from(String(params?.['chunk']), 'base64')));
  }

  waitOutput(name: string, text: string): Promise<unknown> {
    const overlap = Math.max(1, Buffer.byteLength(text)) - 1;
    const next = this.#unread(name);
    let tail = Buffer.alloc(0);
    return this.until(
      () => {
        for (let event = next(); event; event = next()) {
          if (event.method !== 'process/output') continue;
          const joined = Buffer.concat([tail, Buffer.from(String(event.params?.['chunk']), 'base64')]);
          if (joined.includes(text)) return true;
          // The text may continue in the next piece.
          tail = joined.subarray(joined.length - Math.min(overlap, joined.length));
        }
        return false;
      },
      `output ${JSON.stringify(text)} of ${name}`,
    );
  }

  waitEvent(name: string, method: string): Promise<Message> {
    const next = this.#unread(name);
    return this.until(() => {
      for (let event = next(); event; event = next()) if (event.method === method) return event;
      return null;
    }, `${method} of ${name}`);
  }

  /**
   * Returns a function that returns each notification about one process once, so that a long log is not
   * searched repeatedly.
   */
  #unread(name: string): () => Message | undefined {
    let at = 0;
    return () => {
      while (at < this.log.length) {
        const message = this.log[at++];
        if (message && isAbout(message, name)) return message;
      }
      return undefined;
    };
  }

  get closeInfo(): { code: number; reason: string } | null {
    return this.#closed;
  }

  waitClose(): Promise<{ code: number; reason: string }> {
    return this.until(() => this.#closed, 'the end of the connection');
  }

  /** Cuts the connection without a close handshake; resolves when the wire has reported its end. */
  async cut(): Promise<void> {
    this.wire.cut();
    await this.waitClose();
  }

  /**
   * Resolves with the first truthy result of `test`, which runs at once and after each message. Rejects when the
   * connection closes (except in `waitClose`), or no message arrives for `PATIENCE_MS`. The whole wait has no limit,
   * because a flood may take long.
   */
  until<T>(test: () => T | null | undefined | false, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#checks.delete(check);
      };
      const timer = setTimeout(() => {
        done();
        reject(new Error(`waited in vain for ${what}`));
      }, PATIENCE_MS);
      const check = (): void => {
        const value = test();
        if (value) {
          done();
          resolve(value);
        } else if (this.#closed && what !== 'the end of the connection') {
          done();
          reject(new Error(`connection closed (${this.#closed.code}) while waiting for ${what}`));
        } else {
          timer.refresh();
        }
      };
      this.#checks.add(check);
      check();
    });
  }

  #check(): void {
    for (const check of this.#checks) check();
  }
}

const isAbout = ({ method, params }: Message, name: string): boolean =>
  method?.startsWith('process/') === true && (params?.['key'] ?? params?.['processId']) === name;
