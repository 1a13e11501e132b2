// What somebody has just done to a process that goes on all the same.
import { dateTimeText } from '../../text/amounts.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import { actText } from '../../text/act-text.ts';
import { isLive, isSuspended } from '../../text/process-words.ts';

/** Then it is history; but that it is suspended says how it is, for as long as it is. */
const SHOWN_MS = 60_000;

export function LastAct({ info, now }: { readonly info: ProcessInfo; readonly now: number }) {
  const act = info.acts.at(-1);
  if (!act || !isLive(info) || info.terminatingSinceMs !== null) return null;
  if (now - act.atMs >= SHOWN_MS && !isSuspended(info)) return null;
  return <span title={dateTimeText(act.atMs)}>{actText(act)}</span>;
}
