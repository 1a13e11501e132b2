// A start that waits for approval. It needs a new approval if its program files change between being shown and
// being run.
import { UNKNOWN_MARK } from '../host/sandbox/start-facts.ts';
import type { AskedStart } from './start-question.ts';
import type { Asking, WaitingQueue } from './waiting.ts';

const CHANGED = 'its program file has changed since approval was requested';

const UNCHECKED = 'its program file could not be read in time to check that it is the one that was approved';

/** Resolves like the queue when the start is approved and its files are still as shown. */
export async function waitAsShown(queue: WaitingQueue, asked: AskedStart, asking: Asking): Promise<boolean> {
  const { peer } = asking;
  const { why } = asking.look();
  // A cached hash is good enough to show, because the files are read again before the start runs.
  const facts = asked.facts(why, false);
  let rememberedBy: string | null = null;
  const remember = asking.remember && ((by: string) => void (rememberedBy = by));
  const isApproved = await queue.wait(asked.question(peer, why), { ...asking, facts, remember });
  const [shown, found] = [await facts, await asked.facts(why, true)];
  if (shown.mark !== found.mark) return waitAgain(queue, asked, asking, [shown.mark, found.mark]);
  // The files are now known to match the approved ones.
  if (rememberedBy !== null) asking.remember?.(rememberedBy);
  return isApproved;
}

/** Resolves for a start that was accepted in advance; asks again if its files no longer have this mark. */
export async function goOnAsShown(
  queue: WaitingQueue,
  asked: AskedStart,
  asking: Asking,
  { mark }: { readonly mark: string },
): Promise<boolean> {
  const found = await asked.facts(asking.look().why, true);
  return found.mark === mark || waitAgain(queue, asked, asking, [mark, found.mark]);
}

/** Asks for another approval; the files count as changed only if both marks are known. */
function waitAgain(
  queue: WaitingQueue,
  asked: AskedStart,
  asking: Asking,
  marks: readonly string[],
): Promise<boolean> {
  const reason = marks.includes(UNKNOWN_MARK) ? UNCHECKED : CHANGED;
  return waitAsShown(queue, asked, { ...asking, look: () => again(asking.look(), reason) });
}

/** Refuses a start that a rule now forbids; any other verdict needs another approval. */
function again({ verdict, why }: ReturnType<Asking['look']>, reason: string): ReturnType<Asking['look']> {
  if (verdict.kind === 'refuse') return { verdict, why };
  const proposal = verdict.kind === 'ask' ? verdict.proposal : [];
  return {
    verdict: { kind: 'ask', reason, rule: null, proposal },
    why: { ...why, reason },
  };
}
