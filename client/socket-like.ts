// As much of a WebSocket as the client needs: a browser's fits, and so does one of `ws`.

export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Lets what comes wait where it comes from. A browser's cannot. */
  pause?(): void;
  resume?(): void;
  /** Says unasked that this end is there (RFC 6455, 5.5.3). A browser's cannot. */
  pong?(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  /** A close follows, and says more. */
  addEventListener(type: 'error', listener: () => void): void;
}
