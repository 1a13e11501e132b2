// Waits for the approval of a start, and for another approval if, before the start runs, its files change or cannot be
// checked, its paths lead elsewhere, or a pause begins.
import type { Approval } from '../../protocol/approvals.ts';
import { UNKNOWN_MARK, type StartFacts } from '../host/sandbox/start-facts.ts';
import { internal } from '../rpc/rpc-error.ts';
import type { AskedStart } from './start-question.ts';
import type { Asking, CurrentLook, Decider, WaitingQueue } from './waiting.ts';

const ELSEWHERE = 'leads to a different file or folder than when approval was requested';

const UNCHECKED = 'its files could not be read in time to check that they match the approved ones';

/** Returns the reason why a start needs another approval; null when everything is as shown. */
function changeOf(shown: StartFacts, found: StartFacts): string | null {
  if ([shown.mark, found.mark].includes(UNKNOWN_MARK)) return UNCHECKED;
  if (shown.realFolder !== found.realFolder) return `its folder ${ELSEWHERE}`;
  if (shown.places !== found.places) return `a path of its program or sandbox ${ELSEWHERE}`;
  return shown.mark === found.mark ? null : 'its program file has changed since approval was requested';
}

/**
 * Resolves once the start may run with its files as shown: to true when it was approved, to false when it no
 * longer needs approval. `isUnchecked`: true when the request states that the files could not be checked.
 */
export async function waitAsShown(
  queue: WaitingQueue,
  asked: AskedStart,
  asking: Asking,
  isUnchecked = false,
): Promise<boolean> {
  const { peer } = asking;
  const { why } = asking.look();
  // A cached hash is good enough to show, because the files are read again before the start runs.
  const facts = asked.facts(why, false);
  let rememberedBy: Decider | null = null;
  const remember = asking.remember && ((by: Decider) => void (rememberedBy = by));
  let shownPause: string | null = null;
  const over = ({ pause }: Pick<Approval, 'pause'>): void => void (shownPause = pause);
  const isApproved = await queue.wait(asked.question(peer, why), { ...asking, facts, remember, over });
  const shown = await facts;
  const found = await current(asked, asking, true);
  const change = changeOf(shown, found);
  const isAsStated = isUnchecked && shown.mark === UNKNOWN_MARK && found.mark === UNKNOWN_MARK;
  if (change !== null && !isAsStated) return waitAgain(queue, asked, asking, change);
  // The files match the approved ones, or were approved although they could not be checked.
  if (rememberedBy !== null) asking.remember?.(rememberedBy);
  const { verdict, isCached } = asking.look();
  const isHeld = isApproved ? isPaused(asking, shownPause) : verdict.kind !== 'run';
  // An approval of an equal start for the session releases this one, and approves it as well.
  return isHeld ? waitAsShown(queue, asked, asking, isUnchecked) : isApproved || isCached;
}

/**
 * Resolves like `waitAsShown`, but asks only if the files no longer match `facts` or cannot be checked, or a pause
 * holds the start.
 */
export async function goOnAsShown(
  queue: WaitingQueue,
  asked: AskedStart,
  asking: Asking,
  { facts }: { readonly facts: StartFacts },
): Promise<boolean> {
  const found = await current(asked, asking, true);
  // Places are not compared, because the start, unlike the tool call, may have a sandbox and name its shell
  // differently.
  const change = changeOf({ ...facts, places: found.places }, found);
  if (change !== null) return waitAgain(queue, asked, asking, change);
  return isPaused(asking, null) ? waitAsShown(queue, asked, asking) : true;
}

/** Returns true when a pause holds the start, except the one under which it was approved. */
function isPaused({ look }: Asking, approvedUnder: string | null): boolean {
  const { pause } = look().why;
  return pause !== null && pause !== approvedUnder;
}

/**
 * Resolves to the current facts; rejects if, in the meantime, the agent has withdrawn the start or disconnected, or a
 * rule has forbidden the start.
 */
export async function current(
  asked: AskedStart,
  { peer, look }: Pick<Asking, 'peer' | 'look'>,
  isFresh: boolean,
): Promise<StartFacts> {
  const found = await asked.facts(look().why, isFresh);
  if (asked.isWithdrawn) throw internal('the agent withdrew the request, so nothing was done');
  if (peer.connection.isEnding) throw internal('the connection was closed, so nothing was done');
  const { verdict } = look();
  if (verdict.kind === 'refuse') throw internal(verdict.reason);
  return found;
}

function waitAgain(queue: WaitingQueue, asked: AskedStart, asking: Asking, reason: string): Promise<boolean> {
  const look = (): CurrentLook => again(asking.look(), reason);
  return waitAsShown(queue, asked, { ...asking, look }, reason === UNCHECKED);
}

/** Returns the refusal of a start that a rule now forbids; otherwise, a verdict that requests another approval. */
function again({ verdict, why }: CurrentLook, reason: string): CurrentLook {
  if (verdict.kind === 'refuse') return { verdict, why, isCached: false };
  const proposal = verdict.kind === 'ask' ? verdict.proposal : [];
  return {
    verdict: { kind: 'ask', reason, rule: null, proposal },
    why: { ...why, reason },
    isCached: false,
  };
}
