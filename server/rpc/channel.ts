// The interface a transport fulfils: whole text messages both ways, and how well the peer keeps up.

export interface ChannelEvents {
  onMessage(text: string): void;
  /** Called for a message that is not text, or is too long. */
  onMalformed(reason: string): void;
  /** Called when a part of a message has arrived, but not all of it. */
  onArriving(): void;
  /** Called when all unsent bytes are gone, or the window is open again. */
  onDrain(): void;
  /** Called when the peer will send nothing more but still reads; where that is possible. */
  onEnd(): void;
  /** Called once; no other event comes after it. */
  onClose(): void;
}

/** Bytes in flight to the peer, compared with the right amount. */
export interface SendWindow {
  /** True when enough is in flight: bulk output waits until `onDrain`. Never for good, whatever the peer does. */
  readonly isFull: boolean;
  /** Increased whenever the peer has read everything that was sent before the last increase. */
  readonly round: number;
}

export interface Channel {
  /** Address of the other end, for messages and logs; never a secret. */
  readonly peer: string;
  /** Bytes accepted by `send` that the kernel has not taken yet. */
  readonly unsentBytes: number;
  /** Null where it is unknown how much the peer has read. */
  readonly window: SendWindow | null;
  /** Approximate bytes received of an incomplete message. */
  readonly arrivingBytes: number;
  /** Call once, before anything can arrive. */
  listen(events: ChannelEvents): void;
  /**
   * Sends one message; a Buffer holds UTF-8. Does nothing once closed. `onTaken` is called once, when the Buffer is no
   * longer needed; never where that is not known.
   */
  send(message: string | Buffer, onTaken?: () => void): void;
  /** Sends all that `work` sends with as few system calls as possible. */
  batch(work: () => void): void;
  /** Sends the reason and closes; earlier messages still go out. Idempotent. */
  close(code: number, reason: string): void;
}
