// Why a person is told of something that happened, and in which words.
import type { Activity } from '../../../protocol/activity.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processTitle } from '../processes/process-title.ts';
import { isWaiting, statusOf, statusText } from '../../../text/process-words.ts';
import { visible } from '../../../text/visible.ts';

export const CAUSES = ['approval', 'failed', 'waits', 'notification', 'ended', 'bell'] as const;
export type Cause = (typeof CAUSES)[number];

export interface News {
  readonly key: string;
  readonly cause: Cause;
  /** The process. */
  readonly name: string;
  /** What about it. */
  readonly text: string;
  /** ms since the epoch. */
  readonly atMs: number;
}

/** A name or a text of a program's own fills no screen. */
const LONGEST = 160;

/** Null for what nobody wants to be told, or of a process that nobody knows. */
export function newsOf({ key, what, text, atMs }: Activity, info: ProcessInfo | undefined): News | null {
  if (!info) return null;
  const told = (cause: Cause, words: string): News => ({
    key,
    cause,
    name: short(processTitle(info)),
    text: short(words),
    atMs,
  });
  switch (what) {
    case 'started':
      return null;
    case 'exited':
      return told(statusOf(info) === 'failed' ? 'failed' : 'ended', statusText(info));
    case 'waitsForInput':
      // It may have gone on before anybody was told.
      return isWaiting(info) ? told('waits', 'waiting for input') : null;
    case 'bell':
      return told('bell', 'rang its bell');
    case 'notification':
      return told('notification', visible(text ?? ''));
    default:
      // A later gateway may tell of more.
      return null;
  }
}

const short = (text: string): string =>
  text.length > LONGEST ? `${Array.from(text).slice(0, LONGEST).join('')} …` : text;
