// One process of the operating system as its table shows it, on Linux (/proc) and macOS (ps).
import { execFileSync } from 'node:child_process';
import { uptime } from 'node:os';
import { procPids, readProcStat, TICKS_PER_SECOND } from './proc-stat.ts';
import { withDescriptor } from './spare-descriptor.ts';
import { starvation } from './starved.ts';

/** One live process; `startTime` (in the system's own unit) tells it from a later one with the same pid. */
export interface OsProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The group in its terminal's foreground; 0 or less without a terminal. */
  readonly foreground: number;
  readonly startTime: number;
  readonly name: string;
  /**
   * Another one after each exec, whatever the name: where the stack begins, which is random; on macOS the program's path.
   * Null where nobody may see it.
   */
  readonly image: string | null;
}

interface ProcessTable {
  all(): readonly OsProcess[];
  one(pid: number): OsProcess | null;
  now(): number;
  /** The unit of `startTime` and `now`. */
  readonly unitMs: number;
}

const linux: ProcessTable = {
  all: () => withDescriptor(procPids).flatMap((pid) => linux.one(pid) ?? []),
  one(pid) {
    try {
      const stat = withDescriptor(() => readProcStat(pid));
      if (!stat || stat.hasEnded) return null;
      const { name, parent, group, session, foreground, startTime, stack } = stat;
      const image = stack > 0 ? String(stack) : null;
      return { pid, name, parent, group, session, foreground, startTime, image };
    } catch (error) {
      // Then nothing is known of it.
      if (starvation(error)) throw error;
      return null;
    }
  },
  now: () => uptimeTicks() + clockOffset,
  unitMs: 1000 / TICKS_PER_SECOND,
};

const darwin: ProcessTable = {
  all() {
    const columns = 'pid=,ppid=,pgid=,tpgid=,tty=,stat=,lstart=,comm=';
    return parsePs(execFileSync('ps', ['-A', '-o', columns], { encoding: 'utf8', env: { LC_ALL: 'C' } }));
  },
  one: (pid) => osProcesses().find((each) => each.pid === pid) ?? null,
  now: () => Date.now(),
  unitMs: 1,
};

// Rounded: the uptime has two decimals, and 123.29 * 100 is a little less than 12329.
const uptimeTicks = (): number => Math.round(uptime() * TICKS_PER_SECOND);
const clockOffset = findClockOffset();

const table = process.platform === 'darwin' ? darwin : linux;
let scan: Scan | null = null;
let tickMs: number | null = null;

interface Scan {
  readonly beganAtMs: number;
  readonly processes: readonly OsProcess[];
  /** By the parent's pid; made when first asked for. */
  children: ReadonlyMap<number, readonly OsProcess[]> | null;
}

/** Null when there is none of that pid, or only its zombie. Throws when the system has too little for a look, as all do. */
export function osProcess(pid: number): OsProcess | null {
  return table.one(pid);
}

/** As it is now, another program after an exec; null when it is gone; while the system has too little to look, as it was. */
export function seenAgain(seen: OsProcess): OsProcess | null {
  const look = whenKnown(() => ({ now: osProcess(seen.pid) }));
  if (!look) return seen;
  return look.now?.startTime === seen.startTime ? look.now : null;
}

export function isAlive(seen: OsProcess): boolean {
  return seenAgain(seen) !== null;
}

/** What a look shows; null while the system has too little for one. */
export function whenKnown<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (starvation(error)) return null;
    throw error;
  }
}

/** Now, in the unit of `startTime`. */
export function startTimeNow(): number {
  return table.now();
}

export function ageMs({ startTime }: OsProcess): number {
  return (table.now() - startTime) * table.unitMs;
}

/**
 * Every live process. One scan serves all who ask in the same turn of the event loop, as a stopping gateway does, unless
 * they need one that began no earlier than this (of performance.now).
 */
export function osProcesses(notBeforeMs = 0): readonly OsProcess[] {
  if (scan && scan.beganAtMs < notBeforeMs) scan = null;
  return scanned().processes;
}

/** For who needs to know who lives now, and asks for many without anything else in between. */
export function thisTickMs(): number {
  if (tickMs === null) {
    tickMs = performance.now();
    queueMicrotask(() => (tickMs = null));
  }
  return tickMs;
}

/** When the scan began that this turn shows, on the clock of performance.now. */
export function scanBeganAtMs(): number {
  return scanned().beganAtMs;
}

/** The children of a live process, from the same scan. */
export function osChildren(parent: number): readonly OsProcess[] {
  const seen = scanned();
  seen.children ??= byParent(seen.processes);
  return seen.children.get(parent) ?? [];
}

function scanned(): Scan {
  if (scan) return scan;
  setImmediate(() => (scan = null));
  scan = { beganAtMs: performance.now(), processes: table.all(), children: null };
  return scan;
}

function byParent(processes: readonly OsProcess[]): ReadonlyMap<number, readonly OsProcess[]> {
  const children = new Map<number, OsProcess[]>();
  for (const each of processes) {
    const siblings = children.get(each.parent);
    if (siblings) siblings.push(each);
    else children.set(each.parent, [each]);
  }
  return children;
}

/** macOS keeps sessions to itself: those of one terminal are one session, named by its leader; else a group is one. */
export function parsePs(output: string): OsProcess[] {
  const line = /^ *(\d+) +(\d+) +(\d+) +(-?\d+) +(\S+) +(\S+) +(\S+ +\S+ +\d+ +\S+ +\d+) +(.+)$/gm;
  const rows = [...output.matchAll(line)].map(
    ([, pid, parent, group, foreground, tty = '', stat = '', start = '', path = '']) => ({
      terminal: tty.startsWith('?') ? null : tty,
      stat,
      process: {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        foreground: Number(foreground),
        startTime: Date.parse(start),
        name: path.slice(path.lastIndexOf('/') + 1),
        image: path,
      },
    }),
  );
  const leaders = new Map(
    rows.filter(({ stat }) => stat.includes('s')).map(({ terminal, process: { pid } }) => [terminal, pid]),
  );
  return rows
    .filter(({ stat }) => !stat.startsWith('Z'))
    .map(({ terminal, process: each }) => ({
      ...each,
      session: (terminal === null ? undefined : leaders.get(terminal)) ?? each.group,
    }));
}

/** Some containers show an uptime of their own beside the host's start times; this process knows both of itself. */
function findClockOffset(): number {
  const self = process.platform === 'linux' ? linux.one(process.pid) : null;
  if (!self) return 0;
  const offset = self.startTime - (uptimeTicks() - Math.floor(process.uptime() * TICKS_PER_SECOND));
  return Math.abs(offset) > TICKS_PER_SECOND ? offset : 0;
}
