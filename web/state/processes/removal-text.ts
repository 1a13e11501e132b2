// Words for a removed recording.
import { SOMEBODY } from '../../../protocol/console-constants.ts';
import { visible } from '../../../text/visible.ts';

/** Returns a clause such as `Ada removed this recording`. `own`: name of the page's user, or null. */
export function removalText(who: string, own: string | null): string {
  if (who === SOMEBODY) return 'This recording was removed';
  if (who === 'gateway') return 'The gateway removed this recording to stay within its limits';
  return `${who === own ? 'You' : visible(who)} removed this recording`;
}
