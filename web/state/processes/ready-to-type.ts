// Which terminals open with the keyboard: those that wait for a person, and those that this person started.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { ownOf, type Present } from './people.ts';
import { isHeld, isLive, isWaiting } from '../../../text/process-words.ts';

type Typed = Pick<ProcessInfo, 'tty' | 'state' | 'waitsForInput' | 'session' | 'startedBy'>;

/** Whether what is typed into it reaches a program: of anything else the terminal is only looked at. */
export const takesTyping = (info: Pick<ProcessInfo, 'tty' | 'state'>): boolean =>
  info.tty && isLive(info) && !isHeld(info);

/** Whether its terminal gets the keyboard as soon as it is opened. */
export function isReadyToType(info: Typed, present: Present): boolean {
  return takesTyping(info) && mayAct(present.connection) && (isWaiting(info) || isOwn(info, present));
}

/** Whether this person started it here. */
export function isOwn(
  { session, startedBy }: Pick<Typed, 'session' | 'startedBy'>,
  { people, connection }: Present,
): boolean {
  const own = people.find(({ connection: label }) => label === ownOf(connection));
  return session === 'console' && own?.name === startedBy;
}
