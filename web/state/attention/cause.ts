// Causes of notifications, such as a failure or an approval request, and their wording.
import type { Activity } from '../../../protocol/activity.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processTitle } from '../processes/process-title.ts';
import { isWaiting, statusOf, statusText } from '../../../text/process-words.ts';
import { visible } from '../../../text/visible.ts';
import { cutTo } from '../../../text/cut.ts';

export const CAUSES = ['approval', 'failed', 'waits', 'notification', 'ended', 'bell'] as const;
export type Cause = (typeof CAUSES)[number];

export interface AttentionItem {
  readonly key: string;
  readonly cause: Cause;
  /** Name of the process; for an approval, the agent and what it asks for. */
  readonly name: string;
  /** Activity in words, such as `waiting for input`; for an approval, the request itself. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** Maximum length of a name or text in characters, since programs choose both. */
const LONGEST = 160;

/** Returns the notification of an activity entry; null when it is not worth one or the process is unknown. */
export function attentionItemOf(
  { key, what, text, atMs }: Activity,
  info: ProcessInfo | undefined,
): AttentionItem | null {
  if (!info) return null;
  const itemWith = (cause: Cause, words: string): AttentionItem => ({
    key,
    cause,
    name: cutTo(processTitle(info), LONGEST),
    text: cutTo(words, LONGEST),
    atMs,
  });
  switch (what) {
    case 'started':
      return null;
    case 'exited':
      return itemWith(statusOf(info) === 'failed' ? 'failed' : 'ended', statusText(info));
    case 'waitsForInput':
      // The process may no longer be waiting when the entry arrives.
      return isWaiting(info) ? itemWith('waits', 'waiting for input') : null;
    case 'bell':
      return itemWith('bell', 'rang its bell');
    case 'notification':
      return itemWith('notification', visible(text ?? ''));
    default:
      // Newer gateways may send other kinds of activity.
      return null;
  }
}
