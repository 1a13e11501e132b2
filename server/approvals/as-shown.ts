// A start that waits with the facts about its files, and is asked about again when they are others by its approval.
import type { AskedStart } from './start-question.ts';
import type { Asking, WaitingQueue } from './waiting.ts';

const CHANGED = 'its program file is not the one that was approved: it has changed since it was asked about';

/** Resolves when it is allowed as it was shown; rejects with what its agent is told. */
export async function waitAsShown(queue: WaitingQueue, asked: AskedStart, asking: Asking): Promise<void> {
  const { peer } = asking;
  const { why } = asking.look();
  // A hash of before is enough to show: what runs is compared with what the file has by then.
  const facts = asked.facts(why, false);
  let rememberedBy: string | null = null;
  const remember = asking.remember && ((by: string) => void (rememberedBy = by));
  await queue.wait(asked.question(peer, why), { ...asking, facts, remember });
  const [shown, found] = [await facts, await asked.facts(why, true)];
  if (shown.mark !== found.mark)
    return waitAsShown(queue, asked, { ...asking, look: () => again(asking.look()) });
  // Only now do the files match what a person has approved.
  if (rememberedBy !== null) asking.remember?.(rememberedBy);
}

/** The same for one that was accepted before it was started, when its files had this mark. */
export async function goOnAsShown(
  queue: WaitingQueue,
  asked: AskedStart,
  asking: Asking,
  { mark }: { readonly mark: string },
): Promise<void> {
  const found = await asked.facts(asking.look().why, true);
  if (found.mark === mark) return;
  await waitAsShown(queue, asked, { ...asking, look: () => again(asking.look()) });
}

/** Refuses what a rule forbids meanwhile; anything else needs another decision before it runs. */
function again({ verdict, why }: ReturnType<Asking['look']>): ReturnType<Asking['look']> {
  if (verdict.kind === 'refuse') return { verdict, why };
  const proposal = verdict.kind === 'ask' ? verdict.proposal : [];
  return {
    verdict: { kind: 'ask', reason: CHANGED, rule: null, proposal },
    why: { ...why, reason: CHANGED },
  };
}
