// Reads the processes of the operating system from its process table: /proc on Linux, ps on macOS.
import { execFileSync } from 'node:child_process';
import { uptime } from 'node:os';
import { pid as ownPid, platform, uptime as programUptime } from 'node:process';
import { procPids, readProcStat, TICKS_PER_SECOND } from './proc-stat.ts';
import { withDescriptor } from './spare-descriptor.ts';
import { starvation } from './starved.ts';

/** A live process; `startTime`, in the system's unit, distinguishes it from a later one with the same PID. */
export interface OsProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Foreground group of the terminal; 0 or less without a terminal. */
  readonly foreground: number;
  readonly startTime: number;
  readonly name: string;
  /**
   * Value that changes with each exec, even of the same program: the random address of the stack. On macOS it is the
   * program's path, which changes only with another program. Null when it cannot be read.
   */
  readonly image: string | null;
}

interface ProcessTable {
  all(): readonly OsProcess[];
  pids(): readonly number[];
  one(pid: number): OsProcess | null;
  now(): number;
  /** Duration of one unit of `startTime` and `now`, in ms. */
  readonly unitMs: number;
  /** Maximum error of `startTime` and `now`, in their unit. */
  readonly rounded: number;
}

const linux: ProcessTable = {
  all: () => linux.pids().flatMap((pid) => linux.one(pid) ?? []),
  pids: () => withDescriptor(procPids),
  one(pid) {
    try {
      const stat = withDescriptor(() => readProcStat(pid));
      if (!stat || stat.hasEnded) return null;
      const { name, parent, group, session, foreground, startTime, stack } = stat;
      const image = stack > 0 ? String(stack) : null;
      return { pid, name, parent, group, session, foreground, startTime, image };
    } catch (error) {
      // Exhausted resources do not mean that the process has ended, so the error is rethrown.
      if (starvation(error)) throw error;
      return null;
    }
  },
  now: () => uptimeTicks() + clockOffset,
  unitMs: 1000 / TICKS_PER_SECOND,
  rounded: 1,
};

const darwin: ProcessTable = {
  all() {
    const columns = 'pid=,ppid=,pgid=,tpgid=,tty=,stat=,lstart=,comm=';
    return parsePs(execFileSync('ps', ['-A', '-o', columns], { encoding: 'utf8', env: { LC_ALL: 'C' } }));
  },
  // Another ps call would take too long.
  pids: () => [],
  one: (pid) => osProcesses().find((each) => each.pid === pid) ?? null,
  now: () => Date.now(),
  unitMs: 1,
  // Start times in the output of ps are whole seconds.
  rounded: 1000,
};

// Rounding is necessary: the uptime has two decimals, and 4.35 * 100 is a little less than 435.
const uptimeTicks = (): number => Math.round(uptime() * TICKS_PER_SECOND);
const clockOffset = findClockOffset();

const table = platform === 'darwin' ? darwin : linux;
/** Maximum error of start times and of the clock, in the unit of `startTime`. */
export const ROUNDING = table.rounded;
let scan: Scan | null = null;
let tickMs: number | null = null;

interface Scan {
  readonly beganAtMs: number;
  readonly processes: readonly OsProcess[];
  /** Children by the parent's PID, collected on first use. */
  children: ReadonlyMap<number, readonly OsProcess[]> | null;
}

/**
 * Returns the process with this PID; null when there is none, or only a zombie. Throws when the system's
 * resources are exhausted, as `osProcesses` does.
 */
export function osProcess(pid: number): OsProcess | null {
  return table.one(pid);
}

/**
 * Returns the current state of the process, possibly after an exec; null when it has ended; `seen` when
 * resources are exhausted.
 */
export function seenAgain(seen: OsProcess): OsProcess | null {
  const look = whenKnown(() => ({ now: osProcess(seen.pid) }));
  if (!look) return seen;
  return look.now?.startTime === seen.startTime ? look.now : null;
}

export function isAlive(seen: OsProcess): boolean {
  return seenAgain(seen) !== null;
}

/** Returns the result of `look`; null when resources are exhausted. */
export function whenKnown<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (starvation(error)) return null;
    throw error;
  }
}

/** Returns the current time, in the unit of `startTime`. */
export function startTimeNow(): number {
  return table.now();
}

/** Converts a time in ms since 1970 to the unit of `startTime`. */
export function startTimeAt(ms: number): number {
  return table.now() - startTimeUnits(Date.now() - ms);
}

/** Converts a duration in ms to the unit of `startTime`. */
export function startTimeUnits(ms: number): number {
  return ms / table.unitMs;
}

export function ageMs({ startTime }: OsProcess): number {
  return (table.now() - startTime) * table.unitMs;
}

/**
 * Returns all live processes. Callers in the same turn of the event loop share one scan, unless they need one
 * that began at `notBeforeMs` or later (on the clock of performance.now).
 */
export function osProcesses(notBeforeMs = 0): readonly OsProcess[] {
  if (scan && scan.beganAtMs < notBeforeMs) scan = null;
  return scanned().processes;
}

/**
 * Yields the processes whose PIDs are not in `looked`, highest PID first, each as soon as it is read, and adds
 * their PIDs; yields null for a process that has already ended. Yields nothing on macOS.
 */
export function* osProcessesBesides(looked: Set<number>): Generator<OsProcess | null> {
  for (const pid of table.pids().toReversed()) {
    if (looked.has(pid)) continue;
    looked.add(pid);
    yield table.one(pid);
  }
}

/**
 * Returns the same time for all synchronous calls of this tick. Passed as `notBeforeMs`, it makes them share
 * one new scan.
 */
export function thisTickMs(): number {
  if (tickMs === null) {
    tickMs = performance.now();
    queueMicrotask(() => (tickMs = null));
  }
  return tickMs;
}

/** Returns the time at which this turn's scan began, on the clock of performance.now. */
export function scanBeganAtMs(): number {
  return scanned().beganAtMs;
}

/** Returns the children of a live process, from this turn's scan. */
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

/**
 * Parses the output of ps. macOS shows no sessions, so the processes on one terminal form a session, named by
 * its leader; without a terminal, each group is one.
 */
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

/**
 * Returns the offset of start times from the uptime, in ticks; 0 when it is at most a second. Some containers show their
 * own uptime but the host's start times. The offset is measured with this process, for which both are known.
 */
function findClockOffset(): number {
  const self = platform === 'linux' ? linux.one(ownPid) : null;
  if (!self) return 0;
  const offset = self.startTime - (uptimeTicks() - Math.floor(programUptime() * TICKS_PER_SECOND));
  return Math.abs(offset) > TICKS_PER_SECOND ? offset : 0;
}
