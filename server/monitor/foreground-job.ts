// Finds the foreground job of a terminal: its processor time, and whether it is waiting for input.
import { procPids, procStat, type ProcStat } from '../host/proc-stat.ts';
import { isAtPrompt } from './prompt-shell.ts';
import { sleepsOnTerminal } from './sleeping-in.ts';

export interface ForegroundJob {
  /** PID of the started process, which leads the terminal's OS session. */
  readonly leader: number;
  /** Total processor time of the job's processes in ticks. */
  readonly ticks: number;
  /** True when one of the job's processes sleeps until something is typed, and is not an idle shell. */
  readonly asks: boolean;
}

/** Returns the foreground jobs of these leaders; none for one that has ended, or has no terminal or no such job. */
export function foregroundJobs(leaders: readonly number[]): readonly ForegroundJob[] {
  const wanted = new Map(leaders.flatMap(liveStat).map((stat) => [stat.session, stat]));
  const jobs = new Map([...wanted.keys()].map((session): [number, ProcStat[]] => [session, []]));
  for (const stat of procPids().flatMap(liveStat)) {
    if (stat.group === wanted.get(stat.session)?.foreground) jobs.get(stat.session)?.push(stat);
  }
  return [...wanted.values()].flatMap(({ pid, session, terminal }) => {
    const job = jobs.get(session) ?? [];
    if (terminal === 0 || job.length === 0) return [];
    return {
      leader: pid,
      ticks: job.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0),
      asks: job.some((each) => sleepsOnTerminal(each.pid, terminal) && !isAtPrompt(each.pid, terminal)),
    };
  });
}

function liveStat(pid: number): ProcStat[] {
  const stat = procStat(pid);
  return stat && !stat.hasEnded ? [stat] : [];
}
