// Counts a process's output in a pane: bytes received, their hash, and bytes that will never arrive.
import { PacedCount } from '../../state/page/paced-count.ts';
import { Sha256 } from './sha256.ts';

export interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly missedBytes: number;
}

export class ReceivedCount {
  readonly #hash = new Sha256();
  readonly #reportedMissed: PacedCount;
  #bytes = 0;
  #missedBytes = 0;

  /** Calls `missed`, at a readable pace, with the number of bytes that will never arrive. */
  constructor(missed: (bytes: number) => void) {
    this.#reportedMissed = new PacedCount((bytes) => missed(bytes ?? 0));
  }

  /** Byte offset of the next output, over all streams. */
  get offset(): number {
    return this.#bytes + this.#missedBytes;
  }

  take(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
  }

  miss(bytes: number): void {
    this.#missedBytes += bytes;
    this.#reportedMissed.set(this.#missedBytes);
  }

  get(): Received {
    return { bytes: this.#bytes, sha256: this.#hash.hex(), missedBytes: this.#missedBytes };
  }

  dispose(): void {
    this.#reportedMissed.dispose();
  }
}
