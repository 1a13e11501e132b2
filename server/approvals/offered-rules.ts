// Rules that a decision writes: only those that were shown with the request.
import { invalidRequest } from '../rpc/rpc-error.ts';
import type { Waiter, WaitingQueue } from './waiting.ts';

/**
 * Returns the prefixes of the offered rules. Throws when no rule can be offered, and when the offered rules differ from
 * `shown` or from those last sent to watchers; in the last case, sends the request to watchers again.
 */
export function offeredRules(
  queue: WaitingQueue,
  waiter: Waiter,
  shown: readonly string[] | undefined,
): readonly (readonly string[])[] {
  const { verdict, why } = waiter.look();
  const prefixes = verdict.kind === 'ask' ? verdict.proposal : [];
  if (prefixes.length === 0)
    throw invalidRequest('no rule can be proposed for this request; approve it once instead');
  const offered = JSON.stringify(why.proposedRules);
  const sent = waiter.approval.proposedRules;
  if ([sent, shown ?? sent].every((rules) => JSON.stringify(rules) === offered)) return prefixes;
  queue.reasoned(waiter, why);
  throw invalidRequest(
    'the rules that would be written have changed since they were shown, so nothing was decided; review them again',
  );
}
