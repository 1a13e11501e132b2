// A start that waits with the facts about its files, and is asked about again when they are others by its approval.
import { UNKNOWN_MARK } from '../host/sandbox/start-facts.ts';
import type { AskedStart } from './start-question.ts';
import type { Asking, WaitingQueue } from './waiting.ts';

const CHANGED = 'its program file is not the one that was approved: it has changed since it was asked about';

const UNCHECKED = 'its program file could not be read in time to see whether it is the one that was approved';

/** Resolves as the queue does, when it is allowed as it was shown. */
export async function waitAsShown(queue: WaitingQueue, asked: AskedStart, asking: Asking): Promise<boolean> {
  const { peer } = asking;
  const { why } = asking.look();
  // A hash of before is enough to show: what runs is compared with what the file has by then.
  const facts = asked.facts(why, false);
  let rememberedBy: string | null = null;
  const remember = asking.remember && ((by: string) => void (rememberedBy = by));
  const isApproved = await queue.wait(asked.question(peer, why), { ...asking, facts, remember });
  const [shown, found] = [await facts, await asked.facts(why, true)];
  if (shown.mark !== found.mark) return waitAgain(queue, asked, asking, [shown.mark, found.mark]);
  // Only now do the files match what a person has approved.
  if (rememberedBy !== null) asking.remember?.(rememberedBy);
  return isApproved;
}

/** The same for one that was accepted before it was started, when its files had this mark. */
export async function goOnAsShown(
  queue: WaitingQueue,
  asked: AskedStart,
  asking: Asking,
  { mark }: { readonly mark: string },
): Promise<boolean> {
  const found = await asked.facts(asking.look().why, true);
  return found.mark === mark || waitAgain(queue, asked, asking, [mark, found.mark]);
}

/** Asks once more: two marks that differ show a change only where both are known. */
function waitAgain(
  queue: WaitingQueue,
  asked: AskedStart,
  asking: Asking,
  marks: readonly string[],
): Promise<boolean> {
  const reason = marks.includes(UNKNOWN_MARK) ? UNCHECKED : CHANGED;
  return waitAsShown(queue, asked, { ...asking, look: () => again(asking.look(), reason) });
}

/** Refuses what a rule forbids meanwhile; anything else needs another decision before it runs. */
function again({ verdict, why }: ReturnType<Asking['look']>, reason: string): ReturnType<Asking['look']> {
  if (verdict.kind === 'refuse') return { verdict, why };
  const proposal = verdict.kind === 'ask' ? verdict.proposal : [];
  return {
    verdict: { kind: 'ask', reason, rule: null, proposal },
    why: { ...why, reason },
  };
}
