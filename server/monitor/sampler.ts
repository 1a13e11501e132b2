// Computes the resource usage of each OS session from two samples of the process table.
import { TICKS_PER_SECOND, type ProcStat } from '../host/proc-stat.ts';
import type { TreeProcess } from '../../protocol/looks.ts';
import type { ListeningPort } from './listening-ports.ts';

export type ProcUsage = Pick<
  ProcStat,
  'pid' | 'name' | 'parent' | 'session' | 'cpuTicks' | 'childTicks' | 'startTime' | 'memoryPages' | 'hasEnded'
>;

/** Usage of a process together with everything else in its OS session. */
export interface SessionUsage {
  /** PID of the session's leader. */
  readonly leader: number;
  /** Processor use in cores: 2 means two busy cores. Null in the first sample with this session. */
  readonly cpu: number | null;
  readonly memoryBytes: number;
  readonly processes: number;
  readonly ports: readonly ListeningPort[];
  readonly tree?: readonly TreeProcess[];
}

/** OS sessions to measure, each by the PID of its leader. */
export interface Wanted {
  readonly leaders: ReadonlySet<number>;
  /** Leaders whose process trees are included too. */
  readonly trees: ReadonlySet<number>;
}

/** Maximum number of processes in a tree, which is sent once a second. */
const TREE_PROCESSES = 200;

export class Sampler {
  readonly #pageBytes: number;
  /** Previous sample by PID. It has all processes, because an ended child may have had a session of its own. */
  #before: ReadonlyMap<number, ProcUsage> = new Map();
  #lookedAtMs: number | null = null;

  constructor(pageBytes: number) {
    this.#pageBytes = pageBytes;
  }

  sample(
    { leaders, trees }: Wanted,
    all: readonly ProcUsage[],
    ports: ReadonlyMap<number, readonly ListeningPort[]>,
    nowMs: number,
  ): SessionUsage[] {
    const seconds = this.#lookedAtMs === null ? null : (nowMs - this.#lookedAtMs) / 1000;
    const now = new Map(all.map((each) => [each.pid, each]));
    const counted = this.#countedOfEnded(now);
    const sessions = [...leaders].flatMap((leader): SessionUsage[] => {
      const ofSession = all.filter(({ session }) => session === leader);
      const members = ofSession.filter(({ hasEnded }) => !hasEnded);
      if (members.length === 0) return [];
      const isKnown = ofSession.some((each) => this.#lastLookAt(each) !== undefined);
      const used = sum(ofSession.map((each) => this.#usedSince(each, counted.get(each.pid) ?? 0)));
      const coresOf = (ticks: number): number | null =>
        seconds === null || seconds <= 0 ? null : ticks / TICKS_PER_SECOND / seconds;
      return [
        {
          leader,
          cpu: isKnown ? coresOf(used) : null,
          memoryBytes: sum(members.map(({ memoryPages }) => memoryPages)) * this.#pageBytes,
          processes: members.length,
          ports: members.flatMap(({ pid }) => ports.get(pid) ?? []),
          ...(trees.has(leader) && {
            tree: treeOf(members, all).map((each) => ({
              pid: each.pid,
              parent: each.parent,
              name: each.name,
              cpu: this.#lastLookAt(each) ? coresOf(this.#usedSince(each, counted.get(each.pid) ?? 0)) : null,
              memoryBytes: each.memoryPages * this.#pageBytes,
            })),
          }),
        },
      ];
    });
    this.#before = now;
    this.#lookedAtMs = nowMs;
    return sessions;
  }

  /** Returns the ticks since the last sample, including those of children that started and ended in between. */
  #usedSince(each: ProcUsage, counted: number): number {
    const before = this.#lastLookAt(each);
    // All ticks of a process that has just started are new.
    if (!before) return each.cpuTicks + each.childTicks;
    return each.cpuTicks - before.cpuTicks + Math.max(0, each.childTicks - before.childTicks - counted);
  }

  /**
   * Returns the ticks, already counted, of processes that have disappeared since the previous sample, by the PID of the
   * nearest remaining ancestor, whose `childTicks` may now include them.
   */
  #countedOfEnded(now: ReadonlyMap<number, ProcUsage>): ReadonlyMap<number, number> {
    const counted = new Map<number, number>();
    const isThere = (each: ProcUsage): boolean => now.get(each.pid)?.startTime === each.startTime;
    for (const each of this.#before.values()) {
      if (isThere(each)) continue;
      let waited = this.#before.get(each.parent);
      while (waited && !isThere(waited)) waited = this.#before.get(waited.parent);
      if (!waited) continue;
      counted.set(waited.pid, (counted.get(waited.pid) ?? 0) + each.cpuTicks + each.childTicks);
    }
    return counted;
  }

  /** Returns the previous sample of this process; undefined when no process, or another one, had its PID then. */
  #lastLookAt({ pid, startTime }: ProcUsage): ProcUsage | undefined {
    const before = this.#before.get(pid);
    return before?.startTime === startTime ? before : undefined;
  }
}

/**
 * Returns the members of a session with their descendants, parents before their children: the first TREE_PROCESSES. A
 * parent outside the tree is reported as 0.
 */
function treeOf(members: readonly ProcUsage[], all: readonly ProcUsage[]): readonly ProcUsage[] {
  const children = new Map<number, ProcUsage[]>();
  for (const each of all) {
    if (!each.hasEnded) children.set(each.parent, [...(children.get(each.parent) ?? []), each]);
  }
  const inTree = new Set<ProcUsage>(members);
  for (const each of inTree) for (const child of children.get(each.pid) ?? []) inTree.add(child);
  const pids = new Set([...inTree].map(({ pid }) => pid));
  const ordered = new Set([...inTree].filter(({ parent }) => !pids.has(parent)));
  for (const each of ordered) for (const child of children.get(each.pid) ?? []) ordered.add(child);
  return [...ordered]
    .slice(0, TREE_PROCESSES)
    .map((each) => (pids.has(each.parent) ? each : { ...each, parent: 0 }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
