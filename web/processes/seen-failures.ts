// The failures that somebody has looked at in this browser: they need nobody's attention any more.
import { rememberedKeys } from './remembered-keys.ts';

/** Older ones lie far down in the list. */
const REMEMBERED = 500;

export const seenFailures = rememberedKeys('exec-console.seen-failures', REMEMBERED);

export function haveSeen(keys: readonly string[]): void {
  const { ids } = seenFailures.getState();
  const added = keys.filter((key) => !ids.includes(key));
  if (added.length > 0) seenFailures.setState({ ids: [...ids, ...added].slice(-REMEMBERED) });
}
