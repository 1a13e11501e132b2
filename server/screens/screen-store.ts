// All screens of the worker thread: recently used ones as terminals, the others as output that restores them.
import type { Size } from '../../protocol/scalars.ts';
import type { Picture, ScreenSnapshot, ScreensLimits } from './messages.ts';
import { ENDLESS_TURN, type Turn } from './drawing-turns.ts';
import { Screen, type SpoiltLines } from './screen.ts';

interface Stored {
  readonly size: Size;
  readonly data: Buffer;
  readonly spoiltLines: SpoiltLines;
}

/** Maximum number of cells of all terminals, of about 12 bytes each; at least one terminal is in memory. */
const MOST_CELLS = 16 * 1024 * 1024;
/** Maximum number of cells of a terminal that is stored as a snapshot. */
const MOST_STORED_CELLS = 1024 * 1024;

type StoreLimits = Pick<ScreensLimits, 'screenScrollbackLines' | 'screensReady' | 'screensStoredBytes'>;

export class ScreenStore {
  readonly #limits: StoreLimits;
  readonly #turn: Turn;
  /** Terminals, the least recently used first. */
  readonly #ready = new Map<number, Screen>();
  readonly #stored = new Map<number, Stored>();
  #storedBytes = 0;

  constructor(limits: StoreLimits, turn: Turn = ENDLESS_TURN) {
    this.#limits = limits;
    this.#turn = turn;
  }

  /** Opens a new screen, replacing one with the same id. */
  open(id: number, size: Size): void {
    this.close(id);
    this.#keepReady(id, this.#newScreen(size));
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
    if (!screen) return null;
    const data = await screen.snapshotInTurns(scrollback);
    return this.#ready.get(id) === screen ? { size: screen.size, data, isExact: screen.isExact } : null;
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

  /**
   * Resolves with a screen as a terminal, restored if it was stored; null when the screen was dropped or
   * never existed.
   */
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
    const screen = this.#newScreen(stored.size);
    this.#keepReady(id, screen);
    await screen.feed(stored.data);
    screen.spoil(stored.spoiltLines);
    return this.#ready.get(id) === screen ? screen : null;
  }

  #newScreen(size: Size): Screen {
    return new Screen(size, this.#limits.screenScrollbackLines, this.#turn);
  }

  #keepReady(id: number, screen: Screen): void {
    this.#ready.set(id, screen);
    let cells = [...this.#ready.values()].reduce((sum, each) => sum + each.cells, 0);
    for (const [oldest, least] of this.#ready) {
      if (oldest === id || (this.#ready.size <= this.#limits.screensReady && cells <= MOST_CELLS)) break;
      this.#ready.delete(oldest);
      cells -= least.cells;
      // A terminal that is being drawn cannot be stored, and storing a very large one takes seconds, so these are
      // dropped.
      if (least.isBusy || least.cells > MOST_STORED_CELLS) least.dispose();
      else this.#store(oldest, least);
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
