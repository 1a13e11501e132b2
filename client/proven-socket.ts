// A WebSocket that opens only to a gateway that knows the credential; the credential is never sent in plain
// text.
import { CloseCode } from '../protocol/console-constants.ts';
import { SOCKET_USE } from '../protocol/proof.ts';
import { isGreeting, prove, type Answered, type Credential } from './proof.ts';
import type { SocketLike } from './socket-like.ts';

export interface ProvenSocketOptions {
  readonly credential: () => Promise<Credential>;
  /** Requests a path below the gateway's address. */
  readonly ask: (path: string) => Promise<Answered>;
  readonly dial: (proof: string) => SocketLike;
}

/** Close reason when the server is not the gateway; there is no retry. */
export const STRANGER =
  'another program answers at this address, not the known gateway; the credential was not sent';

interface Listeners {
  open: () => void;
  message: (event: { readonly data: unknown }) => void;
  close: (event: { readonly code: number; readonly reason: string }) => void;
  error: () => void;
}

/** WebSocket close code 1006: the socket failed to open, or was closed without a close frame. */
const ABNORMAL = 1006;

const TOO_MANY_REQUESTS = 429;

/** Returns the close reason when the gateway has not sent a challenge; a later attempt may succeed. */
const unreachableText = (status: number): string =>
  status === TOO_MANY_REQUESTS
    ? 'the gateway refuses sign-ins for now, because too many have failed; try again in a minute'
    : `this address did not answer as a gateway of this version (HTTP status ${status})`;

export class ProvenSocket implements SocketLike {
  readonly #options: ProvenSocketOptions;
  readonly #listeners: { readonly [K in keyof Listeners]: Listeners[K][] } = {
    open: [],
    message: [],
    close: [],
    error: [],
  };
  #socket: SocketLike | null = null;
  #state: 'proving' | 'greeting' | 'open' | 'closed' = 'proving';
  pause?: () => void;
  resume?: () => void;
  pong?: () => void;

  constructor(options: ProvenSocketOptions) {
    this.#options = options;
    this.#begin().catch((error: unknown) => {
      this.#end(ABNORMAL, error instanceof Error ? error.message : '');
    });
  }

  send(text: string): void {
    if (this.#state === 'open') this.#socket?.send(text);
  }

  close(code?: number, reason?: string): void {
    if (this.#state === 'closed') return;
    if (this.#socket) this.#socket.close(code, reason);
    else this.#end(code ?? ABNORMAL, reason ?? '');
  }

  addEventListener<K extends keyof Listeners>(type: K, listener: Listeners[K]): void {
    this.#listeners[type].push(listener);
  }

  async #begin(): Promise<void> {
    const credential = await this.#options.credential();
    const outcome = await prove(credential, this.#options.ask, SOCKET_USE);
    if (this.#state === 'closed') return;
    if (outcome.kind === 'refused')
      this.#end(CloseCode.unauthorized, `the credential was refused: ${outcome.reason}`);
    else if (outcome.kind === 'stranger') this.#end(CloseCode.stranger, STRANGER);
    else if (outcome.kind === 'unreachable') this.#end(ABNORMAL, unreachableText(outcome.status));
    else this.#dial(outcome.proof, (data) => isGreeting(data, credential, outcome.handshake));
  }

  #dial(proof: string, isGateways: (data: unknown) => Promise<boolean>): void {
    const socket = this.#options.dial(proof);
    this.#socket = socket;
    if (socket.pause) this.pause = () => socket.pause?.();
    if (socket.resume) this.resume = () => socket.resume?.();
    if (socket.pong) this.pong = () => socket.pong?.();
    socket.addEventListener('message', ({ data }) => {
      if (this.#state === 'open') this.#report('message', { data });
      else if (this.#state === 'proving') {
        this.#state = 'greeting';
        void isGateways(data).then((isIt) => this.#greeted(isIt));
      } else if (this.#state === 'greeting') this.#greeted(false);
    });
    socket.addEventListener('close', ({ code, reason }) =>
      // The reason of a close before the greeting may be the text of any program.
      this.#end(code, this.#state === 'open' ? reason : ''),
    );
    socket.addEventListener('error', () => this.#report('error', undefined));
  }

  /**
   * Opens the socket if the first message is the gateway's greeting; otherwise closes it. A second message that arrives
   * during the check closes it too, since a gateway sends nothing between its greeting and the first request.
   */
  #greeted(isGateway: boolean): void {
    if (this.#state !== 'greeting') return;
    if (isGateway) {
      this.#state = 'open';
      this.#report('open', undefined);
      return;
    }
    this.#end(CloseCode.stranger, STRANGER);
    this.#socket?.close();
  }

  #end(code: number, reason: string): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#report('close', { code, reason });
  }

  #report<K extends keyof Listeners>(type: K, event: Parameters<Listeners[K]>[0]): void {
    for (const listener of this.#listeners[type]) (listener as (event: unknown) => void)(event);
  }
}
