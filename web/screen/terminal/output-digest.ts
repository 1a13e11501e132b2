// The SHA-256 of a terminal's output: hashed in another thread, and whole whenever somebody asks.
import { concat } from '../../../client/bytes.ts';
import { hashInThread } from './digest-thread.ts';
import { Sha256 } from './sha256.ts';

/** Up to here hashing takes less than handing it over: 25 us. */
const LITTLE_BYTES = 4 * 1024;
/** What waits for the thread at the most, and is kept until then; beyond it is hashed here. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

export class OutputDigest {
  /** Of all before what waits. */
  #hashed = new Sha256();
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** What the thread has been given; null when it has nothing of this one. */
  #task: object | null = null;

  /** `bytes` must not change afterwards. */
  update(bytes: Uint8Array): void {
    if (this.#waitingBytes === 0 && bytes.length <= LITTLE_BYTES) {
      this.#hashed.update(bytes);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > MOST_WAITING_BYTES) this.#hashHere();
    else if (!this.#task) this.#handOver();
  }

  /** Of everything so far, in hex. */
  hex(): string {
    this.#hashHere();
    return this.#hashed.hex();
  }

  #handOver(): void {
    const count = this.#waiting.length;
    const bytes = concat(this.#waiting);
    const taskBytes = bytes.length;
    const task = { state: this.#hashed.state, bytes };
    this.#task = task;
    hashInThread(task, (state) => {
      // Somebody has asked meanwhile.
      if (this.#task !== task) return;
      this.#task = null;
      if (!state) return this.#hashHere();
      this.#hashed = Sha256.from(state);
      this.#waiting.splice(0, count);
      this.#waitingBytes -= taskBytes;
      if (this.#waitingBytes > 0) this.#handOver();
    });
  }

  #hashHere(): void {
    for (const bytes of this.#waiting) this.#hashed.update(bytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#task = null;
  }
}
