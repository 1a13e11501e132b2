// The few WebGL contexts that a browser allows, leased to the visible terminals that were viewed last; all others
// draw with the DOM.

/** WebGL renderer of a terminal while it holds a lease. */
export interface Renderer {
  onContextLoss(listener: () => void): void;
  dispose(): void;
}

export interface WebglLeasesOptions<T> {
  /**
   * Maximum number of contexts. Browsers allow 16 and silently drop the oldest; other pages of this origin need some,
   * too.
   */
  readonly most: number;
  /**
   * Loads a function that makes a terminal draw with WebGL. On failure, loading rejects, or the function
   * throws.
   */
  readonly load: () => Promise<(terminal: T) => Renderer>;
}

/**
 * Number of losses within `LOSSES_WITHIN_MS` after which WebGL is no longer used: the driver would probably lose the
 * next context, too.
 */
const MOST_LOSSES = 3;
const LOSSES_WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = 2000;

export class WebglLeases<T> {
  readonly #options: WebglLeasesOptions<T>;
  /** Visible terminals, most recently viewed last. */
  readonly #inSight = new Set<T>();
  /** Renderers by terminal; null while one is being created. */
  readonly #leases = new Map<T, Renderer | null>();
  #lossesMs: readonly number[] = [];
  #isGivenUp = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WebglLeasesOptions<T>) {
    this.#options = options;
  }

  /** Called when the terminal becomes visible or gets the focus. */
  shown(terminal: T): void {
    this.#inSight.delete(terminal);
    this.#inSight.add(terminal);
    this.#assign();
  }

  /** Called when the terminal is no longer visible, or is disposed of. */
  hidden(terminal: T): void {
    if (!this.#inSight.delete(terminal)) return;
    this.#release(terminal);
    this.#assign();
  }

  #assign(): void {
    if (this.#isGivenUp) return;
    const chosen = [...this.#inSight].slice(-this.#options.most);
    for (const terminal of this.#leases.keys()) if (!chosen.includes(terminal)) this.#release(terminal);
    for (const terminal of chosen) if (!this.#leases.has(terminal)) void this.#lease(terminal);
  }

  async #lease(terminal: T): Promise<void> {
    this.#leases.set(terminal, null);
    try {
      const start = await this.#options.load();
      // The lease may have been released in the meantime, or released and granted again.
      if (this.#leases.get(terminal) !== null) return;
      const renderer = start(terminal);
      this.#leases.set(terminal, renderer);
      renderer.onContextLoss(() => this.#lost(terminal, renderer));
    } catch {
      this.#giveUp();
    }
  }

  #release(terminal: T): void {
    const renderer = this.#leases.get(terminal);
    this.#leases.delete(terminal);
    renderer?.dispose();
  }

  #lost(terminal: T, renderer: Renderer): void {
    if (this.#leases.get(terminal) !== renderer) return;
    this.#release(terminal);
    const now = Date.now();
    this.#lossesMs = [...this.#lossesMs.filter((atMs) => now - atMs < LOSSES_WITHIN_MS), now];
    if (this.#lossesMs.length >= MOST_LOSSES) {
      this.#giveUp();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#assign(), AGAIN_AFTER_MS);
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    clearTimeout(this.#timer);
    for (const terminal of this.#leases.keys()) this.#release(terminal);
  }
}
