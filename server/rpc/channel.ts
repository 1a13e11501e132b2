// Interface of a transport: whole text messages in both directions, with flow control.

export interface ChannelEvents {
  onMessage(text: string): void;
  /** Called for a message that is not UTF-8, or too long, unless the transport itself closes because of it. */
  onMalformed(reason: string): void;
  /** Called when a part of a message has arrived. */
  onArriving(): void;
  /** Called when all bytes are sent, or when the window may have room again. */
  onDrain(): void;
  /** Called when the peer has ended its side but still reads, on transports that support this. */
  onEnd(): void;
  /** Called once, as the last event. */
  onClose(): void;
}

/** Flow control by the bytes in flight to the peer. */
export interface SendWindow {
  /** True when enough is in flight, so that bulk output waits for `onDrain`, which is always called eventually. */
  readonly isFull: boolean;
  /** Counter that increases whenever the peer has read everything that was sent before the last increase. */
  readonly round: number;
}

/** Both ends of a socket, as `address:port`. */
export interface SocketEnds {
  /** This process's end. */
  readonly own: string;
  readonly peer: string;
}

export interface Channel {
  /** Address or name of the peer for messages and logs; never a secret. */
  readonly peer: string;
  /** Both ends of the socket itself, whose peer may be a proxy; null on transports without sockets. */
  readonly ends: SocketEnds | null;
  /** Bytes accepted by `send` that the kernel has not accepted yet. */
  readonly unsentBytes: number;
  /** Null when the transport cannot determine how much the peer has read. */
  readonly window: SendWindow | null;
  /** Approximate bytes received of an incomplete message. */
  readonly arrivingBytes: number;
  /** Sets the listener; call it once, before anything can arrive. */
  listen(events: ChannelEvents): void;
  /**
   * Sends one message; a Buffer holds UTF-8. Does nothing once closed. `onTaken` is called once the Buffer is
   * no longer needed; transports that cannot detect this never call it.
   */
  send(message: string | Buffer, onTaken?: () => void): void;
  /** Runs `work`, and sends its messages with as few system calls as possible. */
  batch(work: () => void): void;
  /** Closes after earlier messages, with the code and reason on transports that can send them. Idempotent. */
  close(code: number, reason: string): void;
}
