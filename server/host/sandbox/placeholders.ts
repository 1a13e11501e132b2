// Empty folders that stand where a protected one is missing while sandboxes need something to mount on.
import type { AsUser } from './as-user.ts';
import { makeExactFolder, removeExactFolder } from './exact-folder.ts';
import { PlaceholderBook } from './placeholder-book.ts';

/** Made and removed by the gateway itself. */
export class Placeholders {
  readonly #book: PlaceholderBook;

  /** `folder` is for the journals; what a gateway that is gone has left is removed. */
  constructor(folder: string) {
    this.#book = new PlaceholderBook(folder);
    this.#clearUp();
  }

  isHeld(path: string): boolean {
    return this.#book.isHeld(path);
  }

  /**
   * Makes those that are missing, and returns what gives them up again, once the sandbox has ended. Throws when it cannot;
   * what it returns never does.
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
      // No descriptors, no room: the next one that ends tries again, or, as the journal names them, a later gateway.
    }
  }
}

/** Made and removed by that user, so that nobody gets folders made where they may not; always in that user's turn. */
export class PlaceholdersAsUser {
  readonly #book: PlaceholderBook;
  readonly #asUser: AsUser;

  /** What a gateway that is gone has left is removed by the next `clearUp`. */
  constructor(folder: string, asUser: AsUser) {
    this.#book = new PlaceholderBook(folder);
    this.#asUser = asUser;
  }

  isHeld(path: string): boolean {
    return this.#book.isHeld(path);
  }

  /** To be called in a turn; what it resolves to takes a turn of its own, and never rejects. */
  async hold(paths: readonly string[]): Promise<() => Promise<void>> {
    try {
      this.#book.take(paths);
      // All of them: of those that were to go it may not be known whether they have gone.
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

  /** To be called in a turn. Never rejects: what could not go is tried again by the next one. */
  async clearUp(): Promise<void> {
    try {
      await this.#asUser.removeEmpty(this.#book.leaving());
      this.#book.left();
    } catch {
      // Stopped, or no descriptors, no room: the journal names them for a later gateway.
    }
  }
}

/** What somebody has filled meanwhile is theirs. */
function removeEmpty(path: string): void {
  try {
    removeExactFolder(path);
  } catch {
    // Not empty, or gone: nothing of ours is left.
  }
}

/** The first call's result, whoever calls again. */
function once<T>(work: () => T): () => T {
  let first: { readonly result: T } | null = null;
  return () => (first ??= { result: work() }).result;
}
