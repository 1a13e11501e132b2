// In which order processes stand: what waits for a person, what has failed unseen, what runs, what is over.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { endedAtMs, isLive, isWaiting, statusOf } from './process-status.ts';

/** More at once would push out of sight what runs. */
export const LEADING_FAILURES = 10;

export interface InOrder {
  /** The newest first; of what is over, what has ended last. */
  readonly processes: readonly ProcessInfo[];
  /** How many of them, from the first on, need a person. */
  readonly needing: number;
  /** Failures that nobody has looked at, beyond those. */
  readonly moreFailed: number;
}

export function inOrder(processes: readonly ProcessInfo[], seen: ReadonlySet<string>): InOrder {
  const unseen = processes.filter((info) => statusOf(info) === 'failed' && !seen.has(info.key));
  const leading = new Set(fairly(unseen).map(({ key }) => key));
  const rank = (info: ProcessInfo): number =>
    isWaiting(info) ? 0 : leading.has(info.key) ? 1 : isLive(info) ? 2 : 3;
  const ranked = processes
    .map((info) => ({ info, rank: rank(info), atMs: isLive(info) ? info.startedAtMs : endedAtMs(info) }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        b.atMs - a.atMs ||
        b.info.startedAtMs - a.info.startedAtMs ||
        // What an agent starts at once still has an order of its own.
        (a.info.key < b.info.key ? 1 : -1),
    );
  return {
    processes: ranked.map(({ info }) => info),
    needing: ranked.filter((each) => each.rank < 2).length,
    moreFailed: unseen.length - leading.size,
  };
}

/** The newest failures; but the newest of each agent before the second of any. */
function fairly(unseen: readonly ProcessInfo[]): ProcessInfo[] {
  const before = new Map<string, number>();
  return unseen
    .toSorted((a, b) => endedAtMs(b) - endedAtMs(a))
    .map((info) => {
      const turn = before.get(info.session) ?? 0;
      before.set(info.session, turn + 1);
      return { info, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, LEADING_FAILURES)
    .map(({ info }) => info);
}

/** What there is now, in the order in which it stood: what is new comes before what would follow it. */
export function inHeldOrder<T>(held: readonly T[], now: readonly T[], idOf: (each: T) => string): T[] {
  const position = new Map(held.map((each, index) => [idOf(each), index]));
  const known = now.filter((each) => position.has(idOf(each)));
  const at = (each: T): number => position.get(idOf(each)) ?? 0;
  const before = new Map<string, T[]>();
  let waiting: T[] = [];
  for (const each of now) {
    if (!position.has(idOf(each))) {
      waiting.push(each);
    } else if (waiting.length > 0) {
      before.set(idOf(each), waiting);
      waiting = [];
    }
  }
  const still = known.toSorted((a, b) => at(a) - at(b));
  return [...still.flatMap((each) => [...(before.get(idOf(each)) ?? []), each]), ...waiting];
}
