// Minimal client, the same for all servers, so that only the server is measured.
import { WebSocket } from 'ws';
import { Followed, type OutputListener } from './followed.ts';
import type { Subject } from './measure.ts';

/** Time after which an operation counts as hanging. */
const PATIENCE_MS = 15_000;
/** Size in bytes of an output message above which its chunk is counted instead of parsed. */
const PARSED_BYTES = 1024;
const CHUNK = '"chunk":"';
const QUOTE = 0x22;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface StartOptions {
  readonly tty?: boolean;
  readonly pipeStdin?: boolean;
  readonly onOutput?: OutputListener;
}

export class Client {
  /** Called with each notification and its size in bytes, except for `process/` notifications of followed processes. */
  onNotification:
    ((method: string, params: Readonly<Record<string, unknown>>, bytes: number) => void) | null = null;
  sessionId = '';
  /** Size of the newest response, in bytes. */
  answerBytes = 0;
  readonly #ws: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #followed = new Map<string, Followed>();
  #nextId = 1;

  private constructor(ws: WebSocket, isNudging: boolean) {
    this.#ws = ws;
    ws.on('message', (message: Buffer) => {
      // The packet that carries this unsolicited pong also acknowledges received data.
      if (isNudging) ws.pong();
      this.#receive(message);
    });
    ws.on('error', () => {});
    ws.on('close', (code) => this.#lost(new Error(`the connection was closed (${code})`)));
  }

  /** Connects and initializes; resumes the session `resume` if given. */
  static async open({ url, token, isNudged }: Subject, resume?: string): Promise<Client> {
    const ws = new WebSocket(url, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      skipUTF8Validation: true,
      maxPayload: 512 * 1024 * 1024,
    });
    const client = new Client(ws, isNudged);
    await within(
      new Promise<void>((resolve, reject) => {
        ws.once('open', resolve);
        ws.once('error', reject);
      }),
      'a connection',
    );
    const { sessionId } = await client.request<{ sessionId: string }>('initialize', {
      clientName: 'bench',
      ...(resume !== undefined && { resumeSessionId: resume }),
    });
    client.sessionId = sessionId;
    ws.send('{"method":"initialized"}');
    return client;
  }

  request<R = Record<string, unknown>>(method: string, params: unknown): Promise<R> {
    const id = this.#nextId++;
    const reply = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#ws.send(JSON.stringify({ id, method, params }));
    return within(reply, `the answer to ${method}`) as Promise<R>;
  }

  /** Resolves when the process has started. Calls need not await each other. */
  async start(argv: readonly string[], options: StartOptions = {}): Promise<Followed> {
    const { tty = false, pipeStdin = false, onOutput } = options;
    const processId = `p${this.#nextId}`;
    const followed = new Followed({ address: { processId }, onOutput });
    this.#followed.set(processId, followed);
    const { key } = await this.request<{ key?: string }>('process/start', {
      processId,
      argv,
      cwd: 'file:///tmp',
      env: { PATH: '/usr/bin:/bin', TERM: 'xterm-256color' },
      tty,
      pipeStdin,
      arg0: null,
    });
    followed.key = key ?? null;
    return followed;
  }

  /** Follows a process by its key from now on, returning credit for the output that arrives. */
  async attach(key: string): Promise<Followed> {
    const followed = new Followed({
      address: { key },
      onAck: (seq) => void this.request('process/ack', { key, seq }).catch(() => {}),
    });
    this.#followed.set(key, followed);
    const { offset } = await this.request<{ offset: number }>('process/attach', { key });
    followed.offset = offset;
    return followed;
  }

  write({ address }: Followed, text: string): Promise<unknown> {
    const chunk = Buffer.from(text).toString('base64');
    return this.request('process/write', { ...address, chunk, writeId: `w${this.#nextId}` });
  }

  async terminate({ address, closed }: Followed): Promise<void> {
    await this.request('process/terminate', address);
    await within(closed, 'the end of a process');
  }

  /** Stops reading, like a suspended laptop. */
  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  close(): void {
    this.#ws.terminate();
  }

  #receive(data: Buffer): void {
    const { message, bytes, chunk } = parse(data);
    if (message.id !== undefined) {
      this.answerBytes = data.length;
      this.#answer(message.id, message);
      return;
    }
    const { method = '', params = {} } = message;
    const followed = this.#followed.get(String(params['key'] ?? params['processId']));
    if (!followed || !method.startsWith('process/')) this.onNotification?.(method, params, data.length);
    else if (method === 'process/output') followed.output(Number(params['seq']), bytes, chunk);
    else followed.event(method, params);
  }

  #answer(id: number, { result, error }: Message): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(`${error.message} (${error.code})`));
    else waiting?.resolve(result);
  }

  #lost(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

interface Parsed {
  readonly message: Message;
  readonly bytes: number;
  readonly chunk: () => Buffer;
}

/** Parses a large output message without its chunk: the figures would otherwise include the parsing of base64. */
function parse(data: Buffer): Parsed {
  const at = data.length > PARSED_BYTES ? data.indexOf(CHUNK) : -1;
  if (at < 0 || data.indexOf('"process/output"') < 0) return parseWhole(data);
  const start = at + CHUNK.length;
  const end = data.indexOf(QUOTE, start);
  const padding = data[end - 2] === 0x3d ? 2 : data[end - 1] === 0x3d ? 1 : 0;
  return {
    message: JSON.parse(data.toString('latin1', 0, start) + data.toString('latin1', end)) as Message,
    bytes: ((end - start) / 4) * 3 - padding,
    chunk: () => Buffer.from(data.toString('latin1', start, end), 'base64'),
  };
}

function parseWhole(data: Buffer): Parsed {
  const message = JSON.parse(data.toString()) as Message;
  const text = message.method === 'process/output' ? String(message.params?.['chunk']) : '';
  const chunk = (): Buffer => Buffer.from(text, 'base64');
  return { message, bytes: Buffer.byteLength(text, 'base64'), chunk };
}

/** Resolves with the promise's result; rejects after `ms` (default: 15 s) with an error that names `what`. */
export async function within<T>(promise: Promise<T>, what: string, ms = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms / 1000} s for ${what}`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
