// Words for acts on a process, shared by rows, panes and the audit log.
import type { Act } from '../protocol/console.ts';
import { SOMEBODY } from '../protocol/console-constants.ts';
import { isSignalName, SIGNALS, type SignalName } from '../protocol/signals.ts';
import { visible } from './visible.ts';

const OTHER_ACTS: { readonly [how in Exclude<Act['how'], SignalName>]: string } = {
  closeStdin: 'stdin closed',
  restart: 'restarted',
  sessionExpired: 'ended with its session',
  gatewayStopped: 'ended with the gateway',
};

/** Returns an act as a past participle such as `terminated`, or as a phrase such as `ended with its session`. */
export const actWord = (how: Act['how']): string => (isSignalName(how) ? SIGNALS[how].past : OTHER_ACTS[how]);

/** Returns ` by Ada`, for example; an empty string where a guest reads it, since names are withheld from guests. */
export const byText = (who: string): string => (who === SOMEBODY ? '' : ` by ${visible(who)}`);

/** Returns `terminated by Ada`, for example; the end with a session or the gateway is stated without a name. */
export function actText({ who, how }: Pick<Act, 'who' | 'how'>): string {
  const isOfGateway = how === 'sessionExpired' || how === 'gatewayStopped';
  return isOfGateway ? actWord(how) : `${actWord(how)}${byText(who)}`;
}
