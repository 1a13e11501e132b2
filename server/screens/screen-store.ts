// All screens of the thread: recently used ones as terminals, the others as output that restores them.
import type { Size } from '../../protocol/scalars.ts';
import type { Picture, ScreenSnapshot, ScreensLimits } from './messages.ts';
import { Screen, type SpoiltLines } from './screen.ts';

interface Stored {
  readonly size: Size;
  readonly data: Buffer;
  readonly spoiltLines: SpoiltLines;
}

export class ScreenStore {
  readonly #limits: ScreensLimits;
  /** Terminals, the least recently used first. */
  readonly #ready = new Map<number, Screen>();
  readonly #stored = new Map<number, Stored>();
  #storedBytes = 0;

  constructor(limits: ScreensLimits) {
    this.#limits = limits;
  }

  /** Opens a new screen, replacing any existing one. */
  open(id: number, size: Size): void {
    this.close(id);
    this.#keepReady(id, new Screen(size, this.#limits.screenScrollbackLines));
  }

  async feed(id: number, bytes: Buffer): Promise<void> {
    const screen = await this.#use(id);
    await screen?.feed(bytes);
  }

  async resize(id: number, size: Size): Promise<void> {
    const screen = await this.#use(id);
    await screen?.resize(size);
  }

  async gap(id: number, state: Buffer): Promise<void> {
    const screen = await this.#use(id);
    await screen?.gap(state);
  }

  async snapshot(id: number, scrollback: number): Promise<ScreenSnapshot | null> {
    const screen = await this.#use(id);
    return screen && { size: screen.size, data: screen.snapshot(scrollback), isExact: screen.isExact };
  }

  async picture(id: number): Promise<Picture | null> {
    const screen = await this.#use(id);
    return screen && screen.picture();
  }

  close(id: number): void {
    this.#ready.get(id)?.dispose();
    this.#ready.delete(id);
    this.#forget(id);
  }

  /** Resolves with null when the screen was dropped or never existed. */
  async #use(id: number): Promise<Screen | null> {
    const ready = this.#ready.get(id);
    if (ready) {
      this.#ready.delete(id);
      this.#ready.set(id, ready);
      return ready;
    }
    const stored = this.#stored.get(id);
    if (!stored) return null;
    this.#forget(id);
    const screen = new Screen(stored.size, this.#limits.screenScrollbackLines);
    await screen.feed(stored.data);
    screen.spoil(stored.spoiltLines);
    this.#keepReady(id, screen);
    return screen;
  }

  #keepReady(id: number, screen: Screen): void {
    this.#ready.set(id, screen);
    for (const [oldest, least] of this.#ready) {
      if (this.#ready.size <= this.#limits.screensReady) break;
      this.#ready.delete(oldest);
      this.#store(oldest, least);
    }
  }

  #store(id: number, screen: Screen): void {
    const data = screen.snapshot(this.#limits.screenScrollbackLines);
    this.#stored.set(id, { size: screen.size, data, spoiltLines: screen.spoiltLines });
    this.#storedBytes += data.length;
    screen.dispose();
    for (const oldest of this.#stored.keys()) {
      if (this.#storedBytes <= this.#limits.screensStoredBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(id: number): void {
    this.#storedBytes -= this.#stored.get(id)?.data.length ?? 0;
    this.#stored.delete(id);
  }
}
