// Part of a WebSocket that the client needs: a browser's fits, and so does one of `ws`.

export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Stops reading, so that incoming data waits at its source. A browser's socket cannot. */
  pause?(): void;
  resume?(): void;
  /** Sends an unsolicited pong, as a sign of life (RFC 6455, 5.5.3). A browser's socket cannot. */
  pong?(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  /** A close follows, with more details. */
  addEventListener(type: 'error', listener: () => void): void;
}
