// One connection between a gateway and its keeper, as frames.
import type { Server, Socket } from 'node:net';
import { peerOf } from '../../host/libc.ts';
import { encodeFrame, FrameReader, HEADER_BYTES, type FrameListener } from './frames.ts';

export interface LineEvents {
  readonly onFrame: FrameListener;
  /** The other end takes bytes again. */
  readonly onDrain: () => void;
  /** Called once, when the connection is over. */
  readonly onClose: () => void;
}

export class Line {
  readonly #socket: Socket;
  #isAbandoned = false;
  #isMuted = false;
  #isCorked = false;

  constructor(socket: Socket, { onFrame, onDrain, onClose }: LineEvents) {
    this.#socket = socket;
    const reader = new FrameReader((...frame) => {
      // Frames left over from a closed connection are dropped.
      if (!socket.destroyed && !this.#isAbandoned) onFrame(...frame);
    });
    socket.on('data', (bytes: Buffer) => {
      try {
        reader.take(bytes);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        socket.destroy();
      }
    });
    socket.on('drain', onDrain);
    socket.on('error', () => {});
    socket.once('close', onClose);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Descriptor of the connection, while it is open. */
  get fd(): number {
    return fdOf(this.#socket);
  }

  /** Bytes that the system has not taken yet. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  send(type: number, process = 0, payload: Uint8Array | null = null): void {
    const frame = encodeFrame(type, process, payload?.length ?? 0);
    if (payload) frame.set(payload, HEADER_BYTES);
    this.write(frame);
  }

  sendJson(type: number, process: number, value: unknown): void {
    this.send(type, process, Buffer.from(JSON.stringify(value)));
  }

  /** A whole frame that was made elsewhere. */
  write(frame: Buffer): void {
    if (this.#socket.destroyed || this.#isMuted) return;
    // All frames of one turn go by one system call.
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(() => this.flush());
    }
    this.#socket.write(frame);
  }

  /** Passes all frames to the system now, so that they are not lost with this program. */
  flush(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#socket.uncork();
  }

  /** Reads nothing any more, sends what is queued, and ends. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#socket.destroySoon();
  }

  /**
   * Drops what comes from now on, and stays until the other end ends it: a write of the other end that failed would keep
   * it from reading what it was sent last.
   */
  ignore(): void {
    this.#isAbandoned = true;
  }

  /** Kills the program at the other end. */
  killPeer(): void {
    const pid = process.platform === 'linux' && this.isOpen ? peerOfSocket(this.#socket).pid : 0;
    // 0: it is in a container of its own.
    try {
      if (pid > 0) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    this.#socket.destroy();
  }

  /** Sends nothing any more, and stays. */
  mute(): void {
    this.#isMuted = true;
  }

  /** Ends at once; what has arrived and was not read is lost. */
  destroy(): void {
    this.#socket.destroy();
  }
}

/** True when the other end of a socket belongs to this user, or when the system does not know. */
export const isOfOwnUser = (socket: Socket): boolean =>
  process.platform !== 'linux' || peerOfSocket(socket).user === process.getuid?.();

const peerOfSocket = (socket: Socket): ReturnType<typeof peerOf> => peerOf(fdOf(socket));

/** Returns the descriptor of a socket that is open, or of a server that listens. */
export function fdOf(socket: Socket | Server): number {
  // oxlint-disable-next-line no-underscore-dangle -- Node's name; the types do not know it
  return (socket as unknown as { _handle: { fd: number } })._handle.fd;
}

export const parseJson = (payload: Buffer): unknown => JSON.parse(payload.toString()) as unknown;
