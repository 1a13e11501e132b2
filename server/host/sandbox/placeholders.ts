// Creates empty folders in place of missing protected ones, while sandboxes need a folder to mount on.
import type { AsUser } from './as-user.ts';
import { makeExactFolder, removeExactFolder } from './exact-folder.ts';
import { PlaceholderBook } from './placeholder-book.ts';

/** Placeholders that the gateway itself creates and removes. */
export class Placeholders {
  readonly #book: PlaceholderBook;

  /** `folder`: holds the journals; placeholders of a dead gateway are removed. */
  constructor(folder: string, holder = process.pid) {
    this.#book = new PlaceholderBook(folder, holder);
    this.#clearUp();
  }

  isHeld(path: string): boolean {
    return this.#book.isHeld(path);
  }

  /**
   * Creates missing placeholders, or throws. Returns a function that releases all of them and never throws; call it
   * when the sandbox has ended.
   */
  hold(paths: readonly string[]): () => void {
    const release = once(() => {
      this.#book.giveUp(paths);
      this.#clearUp();
    });
    try {
      for (const path of this.#book.take(paths)) makeExactFolder(path);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #clearUp(): void {
    try {
      for (const path of this.#book.leaving()) removeEmpty(path);
      this.#book.left();
    } catch {
      // The next release tries again or, if there is none, a later gateway, which reads the journal.
    }
  }
}

/**
 * Placeholders that a helper creates and removes as another user, in turns, so that none are created where that user
 * cannot create folders.
 */
export class PlaceholdersAsUser {
  readonly #book: PlaceholderBook;
  readonly #asUser: AsUser;

  /** Placeholders of a dead gateway are removed by the next `clearUp`. */
  constructor(folder: string, asUser: AsUser, holder = process.pid) {
    this.#book = new PlaceholderBook(folder, holder);
    this.#asUser = asUser;
  }

  isHeld(path: string): boolean {
    return this.#book.isHeld(path);
  }

  /**
   * Creates missing placeholders; call it in a turn. The returned function waits for another turn, and never
   * rejects.
   */
  async hold(paths: readonly string[]): Promise<() => Promise<void>> {
    try {
      this.#book.take(paths);
      // All paths are created, since those about to be removed may already be gone.
      await this.#asUser.make(paths);
    } catch (error) {
      this.#book.giveUp(paths);
      await this.clearUp();
      throw error;
    }
    return once(() =>
      this.#asUser.inTurn(() => {
        this.#book.giveUp(paths);
        return this.clearUp();
      }),
    );
  }

  /** Removes placeholders; call it in a turn. Never rejects: the next call retries those that could not be removed. */
  async clearUp(): Promise<void> {
    try {
      await this.#asUser.removeEmpty(this.#book.leaving());
      this.#book.left();
    } catch {
      // The helper may be stopped, or descriptors or space may be missing; the next call or a later gateway tries
      // again.
    }
  }
}

/** Removes a folder, unless another program has filled it. */
function removeEmpty(path: string): void {
  try {
    removeExactFolder(path);
  } catch {
    // The folder is not empty or no longer exists, so there is nothing to remove.
  }
}

/** Returns a function that runs `work` once and returns its result on every call. */
function once<T>(work: () => T): () => T {
  let first: { readonly result: T } | null = null;
  return () => (first ??= { result: work() }).result;
}
