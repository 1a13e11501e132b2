// What a process hands down to everything that it starts: a soft limit on file locks, which Linux has not enforced since 2.4,
// and a timer slack, which only delays a wake-up by some microseconds. A login for another user (su, sudo) resets the limit.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { libc, succeeded, timerSlack } from './libc.ts';
import { type OsProcess, startTimeNow } from './os-process.ts';
import { hardLimit, softLimit as softLimitOf } from './soft-limit.ts';
import { withDescriptor } from './spare-descriptor.ts';
import { starvation } from './starved.ts';

/** Of one process of ours. */
export interface Lineage {
  /** Fork, exec, setsid, another user and a new parent leave them as they are. Empty where there are none. */
  readonly marks: readonly string[];
  /** No descendant was started earlier, in the unit of `OsProcess.startTime`. */
  readonly startedAt: number;
}

/** A start time and the clock are both rounded. */
const ROUNDED = 1;

const RLIMIT_LOCKS = 10;
/** Its name in /proc. */
const LIMIT = 'Max file locks';
const UNLIMITED = 2n ** 64n - 1n;

/** Between 2^60 and 2^61: no limit that anybody means, and one that every program can read. */
const FIRST = 2n ** 60n + BigInt(randomInt(2 ** 28)) * 2n ** 32n;
const LAST = FIRST + 2n ** 32n - 1n;
/** The hard limit of a gateway that is confined, and so of all that it starts. */
const CEILING = 2n ** 61n;

/** The slack of a thread that nobody has given another one, in nanoseconds. */
const USUAL_SLACK = 50_000;
/** Numbers of a slack, up to 0.13 ms in all. A number comes again after so many starts; whoever had it is older than that start. */
const SLACKS = 80_000;

const limit = new BigUint64Array(2);
const known = new Map<number, { readonly startTime: number; readonly mark: string | null }>();
let next = FIRST;
let nextSlack = randomInt(SLACKS);
/** The hard limit of this process; with another one, somebody has set a limit that is not ours to replace. */
let highest = UNLIMITED;

/**
 * Lowers the limit for this process and for all that it starts from now on, once and for good. A program may put off its
 * mark, but without privileges none can raise a hard limit again, so that `isConfined` still knows it.
 */
export function confine(): void {
  if (process.platform !== 'linux' || softLimit() !== UNLIMITED) return;
  highest = CEILING;
  setSoftLimit(CEILING);
}

/** True when this process is confined, and so is the other one. */
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

/** Runs `start`, which has to be synchronous; what it starts is of the lineage that it is given. */
export function withLineage<T>(start: (lineage: Lineage) => T): T {
  const startedAt = startTimeNow() - ROUNDED;
  const own = process.platform === 'linux' && next <= LAST ? softLimit() : null;
  // A limit that somebody has set is not ours to replace.
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

/** That of a live process; null of what this gateway has not started, and where nobody may see it. */
export function markOf({ pid, startTime }: OsProcess): string | null {
  const before = known.get(pid);
  if (before?.startTime === startTime) return before.mark;
  const mark = readMark(pid);
  known.set(pid, { startTime, mark });
  return mark;
}

/** Forgets the marks of those that are gone. */
export function forgetMarksBut(live: readonly OsProcess[]): void {
  if (known.size <= live.length) return;
  const pids = new Set(live.map(({ pid }) => pid));
  for (const pid of known.keys()) if (!pids.has(pid)) known.delete(pid);
}

function readMark(pid: number): string | null {
  try {
    const soft = withDescriptor(() => softLimitOf(pid, LIMIT));
    if (soft !== null && soft >= FIRST && soft <= LAST) return String(soft);
    const slack = Number(withDescriptor(() => readFileSync(`/proc/${pid}/timerslack_ns`, 'latin1')));
    return slack > USUAL_SLACK && slack <= USUAL_SLACK + SLACKS ? slackMark(slack) : null;
  } catch (error) {
    if (starvation(error)) throw error;
    return null;
  }
}

const slackMark = (slack: number): string => `slack ${slack}`;

/** One that no child of this gateway has got for long; null where this thread has one that somebody has set. */
function takenSlack(): number | null {
  if (timerSlack?.get() !== USUAL_SLACK) return null;
  nextSlack = (nextSlack + 1) % SLACKS;
  return USUAL_SLACK + 1 + nextSlack;
}

function softLimit(): bigint | null {
  return libc.getrlimit(RLIMIT_LOCKS, limit) === 0 && limit[1] === highest ? (limit[0] ?? null) : null;
}

/** The hard limit stays, so that this one can be raised again. */
function setSoftLimit(soft: bigint): void {
  limit[0] = soft;
  limit[1] = highest;
  succeeded(libc.setrlimit(RLIMIT_LOCKS, limit));
}
