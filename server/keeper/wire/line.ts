// A connection between a gateway and its keeper, which sends and receives frames.
import type { Server, Socket } from 'node:net';
import { peerOf } from '../../host/libc.ts';
import { encodeFrame, FrameReader, HEADER_BYTES, type FrameListener } from './frames.ts';

export interface LineEvents {
  readonly onFrame: FrameListener;
  /** Called when all queued bytes have been sent, if the queue was full. */
  readonly onDrain: () => void;
  /** Called once, when the connection has closed. */
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
      // One chunk may contain further frames after the one whose handler closed or abandoned the connection.
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

  get fd(): number {
    return fdOf(this.#socket);
  }

  /** Bytes that the system has not accepted yet. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  send(type: number, processNumber = 0, payload: Uint8Array | null = null): void {
    const frame = encodeFrame(type, processNumber, payload?.length ?? 0);
    if (payload) frame.set(payload, HEADER_BYTES);
    this.write(frame);
  }

  sendJson(type: number, processNumber: number, value: unknown): void {
    this.send(type, processNumber, Buffer.from(JSON.stringify(value)));
  }

  /** Sends a complete frame. */
  write(frame: Buffer): void {
    if (this.#socket.destroyed || this.#isMuted) return;
    // Frames sent in the same callback are written with one system call.
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(() => this.flush());
    }
    this.#socket.write(frame);
  }

  /** Writes all queued frames now, so that they are sent even if this program is killed. */
  flush(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#socket.uncork();
  }

  /** Ignores further frames, sends what is queued, and closes the connection. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#socket.destroySoon();
  }

  /**
   * Ignores further frames, but leaves the connection open until the other end closes it: otherwise a write of the
   * other end could fail, and prevent it from reading its last frames.
   */
  ignore(): void {
    this.#isAbandoned = true;
  }

  /** Kills the program at the other end (Linux), and closes the connection. */
  killPeer(): void {
    const pid = process.platform === 'linux' && this.isOpen ? peerOfSocket(this.#socket).pid : 0;
    // A program in another container has PID 0.
    try {
      if (pid > 0) process.kill(pid, 'SIGKILL');
    } catch {
      // The program has already ended.
    }
    this.#socket.destroy();
  }

  /** Stops sending, but leaves the connection open. */
  mute(): void {
    this.#isMuted = true;
  }

  /** Closes the connection immediately; queued and unread frames are lost. */
  destroy(): void {
    this.#socket.destroy();
  }
}

/** Returns true when the other end of a socket belongs to this user, or when the system cannot report it. */
export const isOfOwnUser = (socket: Socket): boolean =>
  process.platform !== 'linux' || peerOfSocket(socket).user === process.getuid?.();

const peerOfSocket = (socket: Socket): ReturnType<typeof peerOf> => peerOf(fdOf(socket));

/** Returns the descriptor of an open socket or a listening server. */
export function fdOf(socket: Socket | Server): number {
  // oxlint-disable-next-line no-underscore-dangle -- Node's name, which the types do not declare
  return (socket as unknown as { _handle: { fd: number } })._handle.fd;
}

/** Parses a payload; throws a RangeError, which closes the connection, when it is not JSON. */
export function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString()) as unknown;
  } catch {
    throw new RangeError('the payload is not JSON');
  }
}
