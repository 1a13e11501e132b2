// What a process started and that has left its OS session, as by setsid: found as long as its parents still show it.
import { isAlive, type OsProcess, osChildren } from './os-process.ts';

/** Between two looks at those that live on; as long as there are any. */
const LOOK_MS = 1000;

/** Of more than this the rest is not followed. */
const MOST_ESCAPED = 1000;

export class Escaped {
  readonly #changed: () => void;
  #known: readonly OsProcess[] = [];
  #timer: NodeJS.Timeout | null = null;

  /** `changed` is told, while it watches, when fewer are alive. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get alive(): readonly OsProcess[] {
    return this.#known.filter(isAlive);
  }

  /** Remembers who descends from these, or from those that were found before, and is not among these. */
  look(members: readonly OsProcess[]): void {
    const inside = new Set(members.map(({ pid }) => pid));
    const found = new Map(this.alive.map((each) => [each.pid, each]));
    const parents = [...inside, ...found.keys()];
    for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
      for (const child of osChildren(parent)) {
        if (inside.has(child.pid) || found.has(child.pid) || found.size >= MOST_ESCAPED) continue;
        found.set(child.pid, child);
        parents.push(child.pid);
      }
    }
    this.#known = [...found.values()];
  }

  /** Looks after them until the last is gone. */
  watch(): void {
    this.dispose();
    if (this.#known.length === 0) return;
    this.#timer = setInterval(() => {
      const alive = this.alive;
      if (alive.length === this.#known.length) return;
      this.#known = alive;
      if (alive.length === 0) this.dispose();
      this.#changed();
    }, LOOK_MS).unref();
  }

  dispose(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
