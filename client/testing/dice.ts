// Seeded random numbers, so that a test run can be repeated.

export class Dice {
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Returns a number from 0 to below 1 (mulberry32). */
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `low` to `high`, both included. */
  pick(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1));
  }

  /** Variant of `pick` on a logarithmic scale: each doubling is equally likely. */
  pickAnySize(low: number, high: number): number {
    return Math.round(low * (high / low) ** this.random());
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  oneOf<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.pick(0, choices.length - 1)] ?? choices[0];
  }
}
