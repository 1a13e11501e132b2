// Assigns each process marks that all its descendants inherit: a soft limit on file locks, which Linux has not
// enforced since 2.4, and a timer slack, which only delays wake-ups by microseconds. A login as another user (su,
// sudo) resets the limit.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { libc, succeeded, timerSlack } from './libc.ts';
import { type OsProcess, ROUNDING, startTimeNow } from './os-process.ts';
import { hardLimit, softLimit as softLimitOf } from './soft-limit.ts';
import { withDescriptor } from './spare-descriptor.ts';
import { starvation } from './starved.ts';

/** Lineage of a process that the gateway started, by which its descendants are recognized. */
export interface Lineage {
  /** Marks that survive fork, exec, setsid and a new parent; empty where none could be set. */
  readonly marks: readonly string[];
  /** Earliest possible start of a descendant, in the unit of `OsProcess.startTime`. */
  readonly startedAt: number;
}

const RLIMIT_LOCKS = 10;
/** Name of the limit in /proc. */
const LIMIT = 'Max file locks';
const UNLIMITED = 2n ** 64n - 1n;

/** Number of marks per program. The first is between 2^60 and 2^61, far above any usual limit. */
const MARKS = 2n ** 32n;
let first = 2n ** 60n + BigInt(randomInt(2 ** 28)) * MARKS;
/** First marks of this program and of programs that start processes for it. */
const firstMarks = [first];
/** Hard limit of a confined gateway, and thus of all its processes. */
const CEILING = 2n ** 61n;

/** Default slack of a thread, in nanoseconds. */
const USUAL_SLACK = 50_000;
/** Number of slack values, which are at most 0.13 ms; a value is reused after that many starts. */
const SLACKS = 80_000;

const limit = new BigUint64Array(2);
const known = new Map<number, { readonly startTime: number; readonly mark: string | null }>();
let next = first;
let nextSlack = randomInt(SLACKS);
/** Expected hard limit of this process; any other was set from outside and must not be replaced. */
let highest = UNLIMITED;

/**
 * Permanently lowers the hard limit of this process and its later children, unless a limit was set from outside. A
 * program may drop its mark, but cannot raise a hard limit without privileges, so `isConfined` still detects
 * it.
 */
export function confine(): void {
  if (process.platform !== 'linux' || softLimit() !== UNLIMITED) return;
  highest = CEILING;
  setSoftLimit(CEILING);
}

/** Returns true when this process and another one are both confined; false for this process itself. */
export function isConfined(pid: number): boolean {
  if (highest !== CEILING || pid === process.pid) return false;
  try {
    const hard = withDescriptor(() => hardLimit(pid, LIMIT));
    return hard !== null && hard <= CEILING;
  } catch (error) {
    if (starvation(error)) throw error;
    return false;
  }
}

/** Runs `start`, which must be synchronous; processes that it starts belong to the lineage passed to it. */
export function withLineage<T>(start: (lineage: Lineage) => T): T {
  const startedAt = startTimeNow() - ROUNDING;
  const own = process.platform === 'linux' && next < first + MARKS ? softLimit() : null;
  // No mark can be set: the system has no such limits, all marks are used, or the limit was set from outside.
  if (own !== highest) return start({ marks: [], startedAt });
  const mark = next;
  next += 1n;
  const slack = takenSlack();
  setSoftLimit(mark);
  if (slack !== null) timerSlack?.set(slack);
  try {
    return start({
      marks: [String(mark), ...(slack === null ? [] : [slackMark(slack)])],
      startedAt,
    });
  } finally {
    setSoftLimit(own);
    if (slack !== null) timerSlack?.set(USUAL_SLACK);
  }
}

/** Returns the first of this program's marks, by which its descendants are recognized. */
export const firstMark = (): bigint => first;

/** Marks already used, passed to the next program in this process. */
export interface Marks {
  readonly first: string;
  readonly next: string;
  readonly nextSlack: number;
  readonly isConfined: boolean;
}

export const marksSoFar = (): Marks => ({
  first: String(first),
  next: String(next),
  nextSlack,
  isConfined: highest === CEILING,
});

/** Continues with the marks of the previous program in this process, which has the same limits. */
export function resumeMarks(marks: Marks): void {
  first = BigInt(marks.first);
  next = BigInt(marks.next);
  nextSlack = marks.nextSlack;
  firstMarks.push(first);
  if (marks.isConfined) highest = CEILING;
}

/** Registers the marks of another program, which starts processes for this one. */
export function adoptMarks(firstOfOther: bigint): void {
  if (firstMarks.includes(firstOfOther)) return;
  firstMarks.push(firstOfOther);
  known.clear();
}

/** Returns the mark of a live process; null when the process has none, or its mark cannot be read. */
export function markOf({ pid, startTime }: OsProcess): string | null {
  const before = known.get(pid);
  if (before?.startTime === startTime) return before.mark;
  const mark = readMark(pid);
  known.set(pid, { startTime, mark });
  return mark;
}

/** Drops cached marks of processes that have ended. */
export function forgetMarksBut(live: readonly OsProcess[]): void {
  if (known.size <= live.length) return;
  const pids = new Set(live.map(({ pid }) => pid));
  for (const pid of known.keys()) if (!pids.has(pid)) known.delete(pid);
}

function readMark(pid: number): string | null {
  try {
    const soft = withDescriptor(() => softLimitOf(pid, LIMIT));
    if (soft !== null && firstMarks.some((begin) => soft >= begin && soft < begin + MARKS))
      return String(soft);
    const slack = Number(withDescriptor(() => readFileSync(`/proc/${pid}/timerslack_ns`, 'latin1')));
    return slack > USUAL_SLACK && slack <= USUAL_SLACK + SLACKS ? slackMark(slack) : null;
  } catch (error) {
    if (starvation(error)) throw error;
    return null;
  }
}

const slackMark = (slack: number): string => `slack ${slack}`;

/**
 * Returns the slack that this gateway has not used for the longest time; null except on Linux, or when the
 * thread's slack was set from outside.
 */
function takenSlack(): number | null {
  if (timerSlack?.get() !== USUAL_SLACK) return null;
  nextSlack = (nextSlack + 1) % SLACKS;
  return USUAL_SLACK + 1 + nextSlack;
}

function softLimit(): bigint | null {
  return libc.getrlimit(RLIMIT_LOCKS, limit) === 0 && limit[1] === highest ? (limit[0] ?? null) : null;
}

/** Sets the soft limit; the hard limit becomes `highest`, up to which the soft limit can be raised again. */
function setSoftLimit(soft: bigint): void {
  limit[0] = soft;
  limit[1] = highest;
  succeeded(libc.setrlimit(RLIMIT_LOCKS, limit));
}
