// Reads and parses Linux's /proc/PID/stat.
import { readdirSync, readFileSync } from 'node:fs';

/** A process as the kernel lists it; times are in ticks. */
export interface ProcStat {
  readonly pid: number;
  readonly name: string;
  /** True for a zombie, which has ended but has not been reaped. */
  readonly hasEnded: boolean;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Device number of the controlling terminal; 0 when there is none. */
  readonly terminal: number;
  /** Foreground group of the terminal; -1 without a terminal. */
  readonly foreground: number;
  /** CPU time since the start, in user and kernel mode. */
  readonly cpuTicks: number;
  /** CPU time of the children that the process has reaped, and of their reaped children. */
  readonly childTicks: number;
  /** Start time, in ticks since boot. */
  readonly startTime: number;
  /** Resident memory in pages of the system; shared pages count for each process. */
  readonly memoryPages: number;
  /** Address at which the stack begins; 0 when this user is not allowed to read it. */
  readonly stack: number;
}

/** Ticks per second, 10 ms each on every Linux that Node supports. */
export const TICKS_PER_SECOND = 100;

/** Returns the PIDs of all processes. Throws when `/proc` cannot be read. */
export function procPids(): number[] {
  return readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? Number(entry) : []));
}

/**
 * Returns the entry of a process; null while the kernel is removing it. Throws read errors, such as ENOENT
 * for a missing process.
 */
export function readProcStat(pid: number): ProcStat | null {
  return parseProcStat(pid, readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** Variant of `readProcStat` that returns null instead of throwing. */
export function procStat(pid: number): ProcStat | null {
  try {
    return readProcStat(pid);
  } catch {
    return null;
  }
}

/**
 * Parses a line of /proc/PID/stat. Returns null for a process that the kernel is removing, and for an
 * incomplete line.
 */
export function parseProcStat(pid: number, line: string): ProcStat | null {
  // The name is in parentheses, and may itself contain parentheses and spaces.
  const nameEnd = line.lastIndexOf(')');
  const [state, ...fields] = line.slice(nameEnd + 2).split(' ');
  if (state === 'X' || fields.length < 25) return null;
  const at = (index: number): number => Number(fields[index]);
  return {
    pid,
    name: line.slice(line.indexOf('(') + 1, nameEnd),
    // A program whose first thread has ended before the others is listed as a zombie, although it is running.
    hasEnded: state === 'Z' && at(16) <= 1,
    parent: at(0),
    group: at(1),
    session: at(2),
    terminal: at(3) >>> 0,
    foreground: at(4),
    cpuTicks: at(10) + at(11),
    childTicks: at(12) + at(13),
    startTime: at(18),
    memoryPages: at(20),
    stack: at(24),
  };
}
