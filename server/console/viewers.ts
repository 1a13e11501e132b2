// Reduces results and notifications for observers and guests to the members that the protocol's tables list for them.
import type { ConsoleChanged } from '../../protocol/console.ts';
import type { GatewayHealth } from '../../protocol/health.ts';
import type { NotificationMethod, Notifications, RequestMethod } from '../../protocol/methods.ts';
import { NOTIFICATIONS } from '../../protocol/notifications.ts';
import { recordOf } from '../../protocol/records.ts';
import type { Eyes, Seen } from '../../protocol/seen.ts';
import { GATEWAY_HEALTH } from '../../protocol/seen-shapes.ts';
import type { Identity } from '../policy/identity.ts';
import { onlyKeyOf, ownChanges, type Onlooker } from './guests.ts';
import { eyesOf, seesSecrets, type Find } from './redacted.ts';

/** Returns the members of a result that this watcher may see; an observer gets none if the record lists none. */
export function seenResult(onlooker: Onlooker, method: RequestMethod, result: object, find: Find): object {
  if (seesSecrets(onlooker.identity)) return result;
  const { seen } = recordOf(method);
  return seen ? look(seen, result, onlooker.identity, eyesOf(onlooker.label, find)) : {};
}

export function seenNotification<N extends NotificationMethod>(
  onlooker: Onlooker,
  name: N,
  params: Notifications[N],
  find: Find,
): Notifications[N] {
  if (seesSecrets(onlooker.identity)) return params;
  const seen = NOTIFICATIONS[name] as unknown as Seen<Notifications[N]>;
  return look(seen, params, onlooker.identity, eyesOf(onlooker.label, find));
}

/**
 * Returns a function to call with successive changes; it returns the visible part of each, or null when
 * nothing is visible.
 */
export function seenChanges(
  onlooker: Onlooker,
  find: Find,
): (change: ConsoleChanged) => ConsoleChanged | null {
  const own = ownChanges(onlooker);
  return (change) => {
    const theirs = own(change);
    return theirs && seenNotification(onlooker, 'console/changed', theirs, find);
  };
}

export const seenHealth = (health: GatewayHealth, identity: Identity): GatewayHealth =>
  seesSecrets(identity) ? health : look(GATEWAY_HEALTH, health, identity, EMPTY_EYES);

/** `Eyes` for objects that concern no process and contain no secrets. */
const EMPTY_EYES = eyesOf('', () => undefined);

function look<V>({ observer, guest }: Seen<V>, value: V, identity: Identity, eyes: Eyes): V {
  const observed = observer(value, eyes, value);
  return onlyKeyOf(identity) === null ? observed : guest(observed, eyes, observed);
}
