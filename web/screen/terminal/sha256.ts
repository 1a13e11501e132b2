// Incremental SHA-256: crypto.subtle needs the complete data, and output is not retained.

const ROUNDS = 64;
const BLOCK_BYTES = 64;

const primes = [...Array(312).keys()].filter(
  (n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0),
);
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32);
/**
 * SHA-256 constants: fractional parts of the cube roots of the first 64 primes and of the square roots of the first 8.
 */
const K = Int32Array.from(primes.slice(0, ROUNDS), (prime) => fraction(Math.cbrt(prime)));
const INITIAL = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/** A running digest; reading it does not finish it. */
export class Sha256 {
  #state = INITIAL.slice();
  readonly #words = new Int32Array(ROUNDS);
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #blockBytes = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  update(data: Uint8Array): void {
    this.#bytes += data.length;
    let at = 0;
    if (this.#blockBytes > 0) {
      at = Math.min(data.length, BLOCK_BYTES - this.#blockBytes);
      this.#block.set(data.subarray(0, at), this.#blockBytes);
      this.#blockBytes += at;
      if (this.#blockBytes < BLOCK_BYTES) return;
      this.#compress(this.#block, 0);
    }
    for (; at + BLOCK_BYTES <= data.length; at += BLOCK_BYTES) this.#compress(data, at);
    this.#block.set(data.subarray(at));
    this.#blockBytes = data.length - at;
  }

  /** Returns the digest of all data so far, in hex. */
  hex(): string {
    const end = new Sha256();
    end.#state = this.#state.slice();
    const tailBytes = this.#blockBytes < BLOCK_BYTES - 8 ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    const tail = new Uint8Array(tailBytes);
    tail.set(this.#block.subarray(0, this.#blockBytes));
    tail[this.#blockBytes] = 0x80;
    const view = new DataView(tail.buffer);
    view.setUint32(tailBytes - 8, Math.floor(this.#bytes / 2 ** 29));
    view.setUint32(tailBytes - 4, (this.#bytes << 3) >>> 0);
    for (let at = 0; at < tailBytes; at += BLOCK_BYTES) end.#compress(tail, at);
    return [...end.#state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  #compress(data: Uint8Array, at: number): void {
    const w = this.#words;
    for (let i = 0; i < 16; i += 1) {
      const p = at + i * 4;
      w[i] = (data[p]! << 24) | (data[p + 1]! << 16) | (data[p + 2]! << 8) | data[p + 3]!;
    }
    for (let i = 16; i < ROUNDS; i += 1) {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
    }
    const state = this.#state;
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    let f = state[5]!;
    let g = state[6]!;
    let h = state[7]!;
    for (let i = 0; i < ROUNDS; i += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
    state[4]! += e;
    state[5]! += f;
    state[6]! += g;
    state[7]! += h;
  }
}
