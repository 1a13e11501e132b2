// In which order processes stand: what waits for a person, what has failed unseen, what runs, what is over; of each the newest first.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { isWaiting, isLive, statusOf } from './process-status.ts';

/** Older failures that nobody has looked at are history: they stay where they are, below what runs. */
const LEADING_FAILURES = 5;

export function inOrder(processes: readonly ProcessInfo[], seen: ReadonlySet<string>): ProcessInfo[] {
  const unseen = processes
    .filter((info) => statusOf(info) === 'failed' && !seen.has(info.key))
    .toSorted((a, b) => (b.exitedAtMs ?? 0) - (a.exitedAtMs ?? 0))
    .slice(0, LEADING_FAILURES);
  const leading = new Set(unseen.map(({ key }) => key));
  const rank = (info: ProcessInfo): number =>
    isWaiting(info) ? 0 : leading.has(info.key) ? 1 : isLive(info) ? 2 : 3;
  return processes
    .map((info) => ({ info, rank: rank(info) }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        b.info.startedAtMs - a.info.startedAtMs ||
        // What an agent starts at once still has an order of its own.
        (a.info.key < b.info.key ? 1 : -1),
    )
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
