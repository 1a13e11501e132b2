// The job in the foreground of a terminal: what it has used of the processor, and whether it waits to be typed to.
import { readFileSync } from 'node:fs';
import { isAtPrompt } from './prompt-shell.ts';
import { sleepsOnTerminal } from './sleeping-in.ts';

export interface ForegroundJob {
  /** The pid of the process that the gateway has started. */
  readonly leader: number;
  /** Processor time of all its processes, in ticks since their starts. */
  readonly ticks: number;
  /** Whether one of them sleeps until something is typed, and is no idle shell. */
  readonly asks: boolean;
}

interface Stat {
  readonly pid: number;
  readonly group: number;
  readonly session: number;
  /** Its device number; 0 without one. */
  readonly terminal: number;
  readonly foreground: number;
  readonly ticks: number;
}

/** Of each leader that has a terminal and is still there. `pids` are all processes of the system. */
export function foregroundJobs(
  leaders: readonly number[],
  pids: readonly number[],
): readonly ForegroundJob[] {
  const wanted = new Map(
    leaders.flatMap((leader) => statOf(leader) ?? []).map((stat) => [stat.session, stat]),
  );
  const jobs = new Map([...wanted.keys()].map((session): [number, Stat[]] => [session, []]));
  for (const pid of pids) {
    const stat = statOf(pid);
    const leader = stat && wanted.get(stat.session);
    if (stat && leader && stat.group === leader.foreground) jobs.get(stat.session)?.push(stat);
  }
  return [...wanted.values()].flatMap(({ pid, session, terminal }) => {
    const job = jobs.get(session) ?? [];
    if (terminal === 0 || job.length === 0) return [];
    return {
      leader: pid,
      ticks: job.reduce((sum, { ticks }) => sum + ticks, 0),
      asks: job.some((each) => sleepsOnTerminal(each.pid, terminal) && !isAtPrompt(each.pid, terminal)),
    };
  });
}

function statOf(pid: number): Stat | null {
  try {
    return parse(pid, readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
}

/** See `os-process.ts` for the fields. */
function parse(pid: number, stat: string): Stat | null {
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  const at = (index: number): number => Number(fields[index]);
  return {
    pid,
    group: at(1),
    session: at(2),
    terminal: at(3) >>> 0,
    foreground: at(4),
    ticks: at(10) + at(11),
  };
}
