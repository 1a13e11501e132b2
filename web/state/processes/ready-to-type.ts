// Terminals that open with the keyboard focus: those waiting for input, and those of processes that this person
// started.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { ownOf, type Present } from './people.ts';
import { isHeld, isLive, isWaiting } from '../../../text/process-words.ts';

type Typed = Pick<ProcessInfo, 'tty' | 'state' | 'waitsForInput' | 'session' | 'startedBy'>;

/** True when the process can receive typed keys: it has a tty, is live, and has passed any approval. */
export const takesTyping = (info: Pick<ProcessInfo, 'tty' | 'state'>): boolean =>
  info.tty && isLive(info) && !isHeld(info);

/** True when the terminal gets the keyboard focus as soon as it opens. */
export function isReadyToType(info: Typed, present: Present): boolean {
  return takesTyping(info) && mayAct(present.connection) && (isWaiting(info) || isOwn(info, present));
}

/** True when a person with the name of this page's user started the process from a page or a terminal. */
export function isOwn(
  { session, startedBy }: Pick<Typed, 'session' | 'startedBy'>,
  { people, connection }: Present,
): boolean {
  const own = people.find(({ connection: label }) => label === ownOf(connection));
  return session === 'console' && own?.name === startedBy;
}
