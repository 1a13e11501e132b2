// Two looks at the system's processes → what each of ours, with all of its OS session, uses now.
import { TICKS_PER_SECOND, type ListeningPort, type ProcUsage } from './proc.ts';

/** What one process uses, with everything in its OS session. */
export interface SessionUsage {
  /** The pid of the session's leader. */
  readonly leader: number;
  /** Of one core: 2 is two cores busy. Null at the first look. */
  readonly cpu: number | null;
  readonly memoryBytes: number;
  readonly processes: number;
  readonly ports: readonly ListeningPort[];
}

export class Sampler {
  /** Of the last look: pid and start → ticks. */
  #ticks = new Map<string, number>();
  #lookedAtMs: number | null = null;

  /** `leaders`: the sessions that somebody wants to know of. */
  sample(
    leaders: ReadonlySet<number>,
    all: readonly ProcUsage[],
    ports: ReadonlyMap<number, readonly ListeningPort[]>,
    nowMs: number,
  ): SessionUsage[] {
    const ofOurs = all.filter(({ session }) => leaders.has(session));
    const seconds = this.#lookedAtMs === null ? null : (nowMs - this.#lookedAtMs) / 1000;
    const before = this.#ticks;
    this.#lookedAtMs = nowMs;
    this.#ticks = new Map(ofOurs.map((each) => [nameOf(each), each.cpuTicks]));
    return [...leaders].flatMap((leader) => {
      const members = ofOurs.filter(({ session }) => session === leader);
      if (members.length === 0) return [];
      const isKnown = members.some((each) => before.has(nameOf(each)));
      // What has just started has used its ticks since the last look.
      const used = sum(members.map((each) => each.cpuTicks - (before.get(nameOf(each)) ?? 0)));
      return [
        {
          leader,
          cpu: seconds === null || seconds <= 0 || !isKnown ? null : used / TICKS_PER_SECOND / seconds,
          memoryBytes: sum(members.map(({ memoryBytes }) => memoryBytes)),
          processes: members.length,
          ports: members.flatMap(({ pid }) => ports.get(pid) ?? []),
        },
      ];
    });
  }
}

const nameOf = ({ pid, startTime }: ProcUsage): string => `${pid}@${startTime}`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
