// Descendants of a process that have left its OS session, as by setsid, whether or not the parents between are still
// alive.
import type { Child } from './child.ts';
import { forgetMarksBut, markOf } from './lineage.ts';
import { isAlive, type OsProcess, osChildren, osProcesses, whenKnown } from './os-process.ts';
import { hasOpen } from './os-session.ts';

/** Interval between scans for escaped processes that are still alive; it ends with the last of them. */
const LOOK_MS = 1000;

/** Limit of escaped processes that are tracked; further ones are ignored. */
const MOST_ESCAPED = 1000;

export class Escaped {
  readonly #child: Pick<Child, 'lineage' | 'streams'>;
  readonly #changed: () => void;
  #known: readonly OsProcess[] = [];
  #timer: NodeJS.Timeout | null = null;

  /** `changed` is called during `watch` when fewer are alive. */
  constructor(child: Pick<Child, 'lineage' | 'streams'>, changed: () => void) {
    this.#child = child;
    this.#changed = changed;
  }

  get alive(): readonly OsProcess[] {
    return this.#known.filter(isAlive);
  }

  /**
   * True when a live process descends from the child. For one without any of this gateway's marks, which a program may
   * drop, its open streams decide: an older process, such as a terminal multiplexer, may have been passed them.
   */
  isDescendant(each: OsProcess): boolean {
    const { lineage, streams } = this.#child;
    if (!this.#isYounger(each)) return false;
    const mark = this.#markOf(each);
    return mark === null ? hasOpen(each.pid, streams) : lineage.marks.includes(mark);
  }

  /**
   * Remembers processes outside `members` that descend from the child, from `members` or from processes found before.
   */
  look(members: readonly OsProcess[]): void {
    const inside = new Set(members.map(({ pid }) => pid));
    const found = new Map(this.alive.map((each) => [each.pid, each]));
    const add = (each: OsProcess): boolean => {
      if (inside.has(each.pid) || found.has(each.pid) || found.size >= MOST_ESCAPED) return false;
      found.set(each.pid, each);
      return true;
    };
    const all = osProcesses();
    forgetMarksBut(all);
    // While the session has members, it is they that hold the streams.
    const isCandidate = (each: OsProcess): boolean =>
      this.#isYounger(each) && (members.length === 0 || this.#markOf(each) !== null);
    for (const each of all) if (isCandidate(each) && this.isDescendant(each)) add(each);
    const parents = [...inside, ...found.keys()];
    for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
      for (const child of osChildren(parent)) if (add(child)) parents.push(child.pid);
    }
    this.#known = [...found.values()];
  }

  /** Checks the remembered processes until the last is gone. */
  watch(): void {
    this.dispose();
    if (this.#known.length === 0) return;
    this.#timer = setInterval(() => {
      const before = this.#known.length;
      if (this.alive.length === before) return;
      // A process that is gone may have left children.
      if (!whenKnown(() => [this.look([])])) return;
      if (this.#known.length === 0) this.dispose();
      if (this.#known.length !== before) this.#changed();
    }, LOOK_MS).unref();
  }

  dispose(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #isYounger({ startTime }: OsProcess): boolean {
    return startTime >= this.#child.lineage.startedAt;
  }

  #markOf(each: OsProcess): string | null {
    return this.#child.lineage.marks.length === 0 ? null : markOf(each);
  }
}
