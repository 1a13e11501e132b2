// Empty folders that stand where a protected one is missing while sandboxes need something to mount on.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** Counted, since several sandboxes share one, and written down, so that a gateway that was killed leaves none behind. */
export class Placeholders {
  readonly #journal: string;
  readonly #users = new Map<string, number>();

  /** `journal` is a file of the gateway's own; what one before has left is removed. */
  constructor(journal: string) {
    this.#journal = journal;
    for (const path of written(journal)) removeEmpty(path);
    this.#write();
  }

  /** Makes those that are missing, and returns what gives them up again, once the sandbox has ended. Throws when it cannot. */
  hold(paths: readonly string[]): () => void {
    const held: string[] = [];
    const release = (): void => {
      for (const path of held.splice(0)) this.#release(path);
    };
    try {
      for (const path of paths) {
        const users = this.#users.get(path) ?? 0;
        this.#users.set(path, users + 1);
        held.push(path);
        if (users === 0) {
          this.#write();
          mkdirSync(path, 0o755);
        }
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #release(path: string): void {
    const users = (this.#users.get(path) ?? 1) - 1;
    if (users > 0) {
      this.#users.set(path, users);
      return;
    }
    removeEmpty(path);
    this.#users.delete(path);
    this.#write();
  }

  #write(): void {
    writeFileSync(this.#journal, JSON.stringify([...this.#users.keys()]), { mode: 0o600 });
  }
}

function written(journal: string): string[] {
  try {
    const paths: unknown = JSON.parse(readFileSync(journal, 'utf8'));
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

/** What somebody has filled meanwhile is theirs. */
function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Not empty, or gone: nothing of ours is left.
  }
}
