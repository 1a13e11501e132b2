// Finds descendants of a process that have left its OS session, such as with setsid, even if their parents have ended.
import type { Child } from './child.ts';
import { forgetMarksBut, markOf } from './lineage.ts';
import {
  isAlive,
  type OsProcess,
  osChildren,
  osProcesses,
  osProcessesBesides,
  whenKnown,
} from './os-process.ts';
import { hasOpen } from './os-session.ts';

/** Interval between checks of escaped processes, until the last one has ended. */
const LOOK_MS = 1000;

/** Maximum number of escaped processes that are tracked. */
const MOST_ESCAPED = 1000;

/** Time limit of the search for processes that started after the scan and may end soon. */
const CHASE_MS = 20;

export class Escaped {
  readonly #child: Pick<Child, 'lineage' | 'streams'>;
  readonly #changed: () => void;
  #known: readonly OsProcess[] = [];
  #timer: NodeJS.Timeout | null = null;

  /** `changed`: called during `watch` when the processes change. */
  constructor(child: Pick<Child, 'lineage' | 'streams'>, changed: () => void) {
    this.#child = child;
    this.#changed = changed;
  }

  get #alive(): readonly OsProcess[] {
    return this.#known.filter(isAlive);
  }

  /** Processes found by the last scan, including one that keeps replacing itself and may have another PID by now. */
  get seen(): readonly OsProcess[] {
    return this.#known;
  }

  /**
   * Returns true when a live process descends from the child: it has one of the child's marks or, since programs can
   * drop their marks, it has no mark and holds one of the child's streams open. A process older than the child is not
   * a descendant, but may have been passed a stream.
   */
  isDescendant(each: OsProcess): boolean {
    const { lineage, streams } = this.#child;
    if (!this.#isYounger(each)) return false;
    const mark = this.#markOf(each);
    return mark === null ? hasOpen(each.pid, streams) : lineage.marks.includes(mark);
  }

  /** Tracks processes outside `members` that descend from the child, from `members` or from processes found before. */
  look(members: readonly OsProcess[]): void {
    const inside = new Set(members.map(({ pid }) => pid));
    const found = new Map(this.#alive.map((each) => [each.pid, each]));
    const add = (each: OsProcess): boolean => {
      if (inside.has(each.pid) || found.has(each.pid) || found.size >= MOST_ESCAPED) return false;
      found.set(each.pid, each);
      return true;
    };
    const all = osProcesses();
    forgetMarksBut(all);
    // An open stream counts only when the session has no members any more; until then, a mark is required.
    const isFound = (each: OsProcess): boolean =>
      this.#isYounger(each) &&
      (members.length === 0 || this.#markOf(each) !== null) &&
      this.isDescendant(each);
    for (const each of all) if (isFound(each)) add(each);
    const parents = [...inside, ...found.keys()];
    for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
      for (const child of osChildren(parent)) if (add(child)) parents.push(child.pid);
    }
    const alive = [...found.values()].filter(isAlive);
    const newer = alive.length === 0 && members.length === 0 ? newerThan(all, isFound) : null;
    this.#known = newer ? [newer] : alive;
  }

  watch(): void {
    this.dispose();
    if (this.#known.length === 0) return;
    this.#timer = setInterval(() => {
      const before = this.#known;
      if (this.#alive.length === before.length) return;
      // A process that has ended may have left children.
      if (!whenKnown(() => [this.look([])])) return;
      if (this.#known.length === 0) this.dispose();
      const pids = new Set(before.map(({ pid }) => pid));
      const isSame = this.#known.length === before.length && this.#known.every(({ pid }) => pids.has(pid));
      if (!isSame) this.#changed();
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

/**
 * Returns a process missing from `scan` that `isWanted` accepts; null when none is found within `CHASE_MS`. Each
 * process is tested as soon as it is read, since a program that repeatedly starts itself and exits within
 * milliseconds would be gone before a scan ends.
 */
function newerThan(scan: readonly OsProcess[], isWanted: (each: OsProcess) => boolean): OsProcess | null {
  const until = performance.now() + CHASE_MS;
  const looked = new Set(scan.map(({ pid }) => pid));
  for (let count = 0; count !== looked.size && performance.now() < until;) {
    count = looked.size;
    for (const each of osProcessesBesides(looked)) if (each && isWanted(each)) return each;
  }
  return null;
}
