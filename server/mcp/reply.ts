// The answer to one POST: JSON when nothing has to be sent before it, otherwise a stream of events.
import type { ServerResponse } from 'node:http';

/** Interval of comments that keep proxies and clients from giving up a quiet stream. */
const KEEP_ALIVE_MS = 15_000;

export interface Accepts {
  readonly json: boolean;
  readonly stream: boolean;
}

/** Stands for the connection of one HTTP request, until its answer has been sent. */
export class Reply {
  readonly #response: ServerResponse;
  readonly #accepts: Accepts;
  readonly #keepAlive: NodeJS.Timeout;
  readonly #gone = new AbortController();
  readonly #whenSent: (() => void)[] = [];
  #isStream = false;

  constructor(response: ServerResponse, accepts: Accepts) {
    this.#response = response;
    this.#accepts = accepts;
    this.#keepAlive = setInterval(() => this.#comment(), KEEP_ALIVE_MS);
    response.once('close', () => {
      clearInterval(this.#keepAlive);
      this.#gone.abort();
    });
    if (!accepts.json) this.begin();
  }

  /** Aborted once nothing can be sent any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Calls `listener` when the system has taken the answer. */
  whenSent(listener: () => void): void {
    this.#whenSent.push(listener);
  }

  /** True when messages can be sent before the answer. */
  get isOpenForMore(): boolean {
    return this.#accepts.stream && !this.gone.aborted;
  }

  /** Sends a message before the answer; call only while `isOpenForMore`. */
  send(message: object): void {
    this.begin();
    this.#response.write(eventOf(message));
  }

  /** Sends the answer; null: there is none, because the client has cancelled. */
  end(answer: object | null): void {
    if (this.gone.aborted) return;
    if (answer === null && !this.#isStream) this.begin();
    if (this.#isStream) this.#response.end(answer === null ? '' : eventOf(answer));
    else {
      this.#response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      this.#response.end(JSON.stringify(answer));
    }
    this.#sent();
  }

  /** Makes it a stream, if it is none yet. */
  begin(): void {
    if (this.#isStream || this.gone.aborted) return;
    this.#isStream = true;
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // nginx would otherwise keep events back.
      'x-accel-buffering': 'no',
    });
    this.#response.flushHeaders();
  }

  /** Mostly in the same turn: whatever ends this program afterwards, the client gets its answer. */
  #sent(): void {
    const tell = (): void => {
      for (const listener of this.#whenSent.splice(0)) listener();
    };
    if (this.#response.socket?.writableLength === 0) tell();
    else this.#response.once('finish', tell);
  }

  #comment(): void {
    if (!this.isOpenForMore) return;
    this.begin();
    this.#response.write(':\n\n');
  }
}

const eventOf = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
