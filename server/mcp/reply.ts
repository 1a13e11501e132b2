// Response to a POST or GET: JSON, or a stream of events.
import type { ServerResponse } from 'node:http';

/** Interval of comments that keep proxies and clients from closing an idle stream. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Abort reason shared by all waits: aborting without a reason creates an exception, which costs more than the
 * wait.
 */
export const OVER = new Error('the call has ended');

export interface Accepts {
  readonly json: boolean;
  readonly stream: boolean;
}

export class Reply {
  readonly #response: ServerResponse;
  readonly #accepts: Accepts;
  readonly #keepAlive: NodeJS.Timeout;
  readonly #gone = new AbortController();
  readonly #whenSent: (() => void)[] = [];
  #isStream = false;
  /** True once the answer was written; a slow client may keep the connection open for much longer. */
  #isEnded = false;

  constructor(response: ServerResponse, accepts: Accepts) {
    this.#response = response;
    this.#accepts = accepts;
    this.#keepAlive = setInterval(() => this.#comment(), KEEP_ALIVE_MS);
    response.once('close', () => {
      clearInterval(this.#keepAlive);
      this.#gone.abort(OVER);
    });
    if (!accepts.json) this.begin();
  }

  /** Signal that is aborted when the connection is closed, or the whole response has been sent. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Calls `listener` once the operating system has accepted the answer. */
  whenSent(listener: () => void): void {
    this.#whenSent.push(listener);
  }

  /** True while messages can be sent before the answer. */
  get isOpenForMore(): boolean {
    return this.#accepts.stream && !this.#isEnded && !this.gone.aborted;
  }

  /** Sends a message before the answer; call only while `isOpenForMore`. */
  send(message: object): void {
    this.begin();
    this.#response.write(eventOf(message));
  }

  /** Sends the answer; null ends the response without an answer, because the client has cancelled the call. */
  end(answer: object | null): void {
    if (this.gone.aborted) return;
    if (answer === null && !this.#isStream) this.begin();
    this.#isEnded = true;
    if (this.#isStream) this.#response.end(answer === null ? '' : eventOf(answer));
    else {
      this.#response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      this.#response.end(JSON.stringify(answer));
    }
    this.#sent();
  }

  /** Starts the event stream, unless it has already started. */
  begin(): void {
    if (this.#isStream || this.gone.aborted) return;
    this.#isStream = true;
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // nginx would buffer events without this.
      'x-accel-buffering': 'no',
    });
    this.#response.flushHeaders();
  }

  /**
   * Calls the listeners of `whenSent`, usually in the same turn of the event loop, so that what they record is right
   * even if the gateway dies immediately afterwards.
   */
  #sent(): void {
    const notify = (): void => {
      for (const listener of this.#whenSent.splice(0)) listener();
    };
    if (this.#response.socket?.writableLength === 0) notify();
    else this.#response.once('finish', notify);
  }

  #comment(): void {
    if (!this.isOpenForMore) return;
    this.begin();
    this.#response.write(':\n\n');
  }
}

const eventOf = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
