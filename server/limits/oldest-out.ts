// Sizes of retained entries in order of arrival; beyond the limit of one owner or the total, the oldest is
// evicted.

export interface RetainedLimits {
  readonly entries: number;
  /** Maximum total size, in the unit of the sizes passed to `add`. */
  readonly size: number;
  readonly sizePerOwner: number;
}

interface Entry {
  readonly owner: string;
  readonly size: number;
}

interface Owned<K> {
  size: number;
  readonly keys: Set<K>;
}

export class OldestOut<K> {
  readonly #limits: RetainedLimits;
  readonly #entries = new Map<K, Entry>();
  readonly #owners = new Map<string, Owned<K>>();
  #size = 0;

  constructor(limits: RetainedLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#entries.size;
  }

  /**
   * Adds a new entry; returns the evicted ones: the owner's oldest, then the oldest of all, possibly the new
   * one.
   */
  add(key: K, owner: string, size: number): readonly K[] {
    const owned = this.#owners.get(owner) ?? { size: 0, keys: new Set<K>() };
    this.#owners.set(owner, owned);
    owned.keys.add(key);
    owned.size += size;
    this.#entries.set(key, { owner, size });
    this.#size += size;
    const out: K[] = [];
    const { entries, sizePerOwner } = this.#limits;
    for (const oldest of owned.keys) {
      if (owned.size <= sizePerOwner) break;
      out.push(oldest);
      this.remove(oldest);
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= entries && this.#size <= this.#limits.size) break;
      out.push(oldest);
      this.remove(oldest);
    }
    return out;
  }

  remove(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
    const owned = this.#owners.get(entry.owner);
    if (!owned) return;
    owned.size -= entry.size;
    owned.keys.delete(key);
    if (owned.keys.size === 0) this.#owners.delete(entry.owner);
  }
}
