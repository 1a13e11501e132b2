// Part of the WebSocket interface that the client uses; browsers' sockets and those of `ws` both fit.

export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Pauses reading, so that incoming data waits at its source. Browsers' sockets lack this. */
  pause?(): void;
  resume?(): void;
  /** Sends an unsolicited pong as a sign of life (RFC 6455, 5.5.3). Browsers' sockets lack this. */
  pong?(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  /** A close event with more details follows. */
  addEventListener(type: 'error', listener: () => void): void;
}
