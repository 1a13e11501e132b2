// Last act of a person on a running process, unless the process is being terminated.
import { dateTimeText } from '../../text/amounts.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import { actText } from '../../text/act-text.ts';
import { isLive, isSuspended } from '../../text/process-words.ts';

/** Time for which an act is shown; the last act on a suspended process is shown until the process resumes. */
const SHOWN_MS = 60_000;

export function LastAct({ info, now }: { readonly info: ProcessInfo; readonly now: number }) {
  const act = info.acts.at(-1);
  if (!act || !isLive(info) || info.terminatingSinceMs !== null) return null;
  if (now - act.atMs >= SHOWN_MS && !isSuspended(info)) return null;
  return <span title={dateTimeText(act.atMs)}>{actText(act)}</span>;
}
