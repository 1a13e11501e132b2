// The interface a transport fulfils: whole text messages both ways, and how well the peer keeps up.

export interface ChannelEvents {
  onMessage(text: string): void;
  /** Something has come that is no text, or too much of it. */
  onMalformed(reason: string): void;
  /** More of a message has come, and not all of it. */
  onArriving(): void;
  /** What was waiting to be sent has gone down to nothing, or the window is open again. */
  onDrain(): void;
  /** The peer sends nothing more but still reads; where that can be. */
  onEnd(): void;
  /** Once; nothing comes after it. */
  onClose(): void;
}

/** What is on its way to the peer, and how much should be. */
export interface SendWindow {
  /** Enough is: what can wait does, until `onDrain`. Never for good, whatever the peer does. */
  readonly isFull: boolean;
  /** One more each time that the peer has read all that was sent when it last became one more. */
  readonly round: number;
}

export interface Channel {
  /** Who is at the other end, for messages and logs; never a secret. */
  readonly peer: string;
  /** Bytes accepted by `send` that the kernel has not taken yet. */
  readonly unsentBytes: number;
  /** Null where nobody can tell what the peer has read. */
  readonly window: SendWindow | null;
  /** About the bytes that are here of a message that is not here whole. */
  readonly arrivingBytes: number;
  /** Call once, before anything can arrive. */
  listen(events: ChannelEvents): void;
  /**
   * Sends one message; a Buffer holds UTF-8. Silently nothing once closed. `onTaken` is told, once, that nobody needs the
   * Buffer any more; never told where that is not known.
   */
  send(message: string | Buffer, onTaken?: () => void): void;
  /** Sends all that `work` sends with as few system calls as possible. */
  batch(work: () => void): void;
  /** Says why and closes; what was sent before still goes out. Idempotent. */
  close(code: number, reason: string): void;
}
