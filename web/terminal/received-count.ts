// What of a process's output has reached a pane: how much, which, and how much never will.
import { Sha256 } from './sha256.ts';

export interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly missedBytes: number;
}

export class ReceivedCount {
  readonly #hash = new Sha256();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  take(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
  }

  get(missedBytes: number): Received {
    return { bytes: this.#bytes, sha256: this.#hash.hex(), missedBytes };
  }
}
