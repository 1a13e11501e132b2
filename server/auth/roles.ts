// Which role may call which method: one table, enforced for every request.
import type { RequestMethod } from '../protocol/methods.ts';
import type { Role } from '../protocol/session.ts';

/** Whoever may call a method by `processId` (or, without an address, at all), and by `key`. */
interface Rule {
  readonly own: readonly Role[];
  readonly byKey: readonly Role[];
}

const everybody: readonly Role[] = ['agent', 'observer', 'operator', 'admin'];
const owners: readonly Role[] = ['agent', 'operator', 'admin'];
const observers: readonly Role[] = ['observer', 'operator', 'admin'];
const operators: readonly Role[] = ['operator', 'admin'];

export const ROLES: { readonly [M in RequestMethod]: Rule } = {
  initialize: { own: everybody, byKey: [] },
  'environment/info': { own: everybody, byKey: [] },
  'environment/status': { own: everybody, byKey: [] },
  'process/start': { own: owners, byKey: [] },
  'process/read': { own: owners, byKey: observers },
  'process/write': { own: owners, byKey: operators },
  'process/signal': { own: owners, byKey: operators },
  'process/terminate': { own: owners, byKey: operators },
  'process/attach': { own: [], byKey: observers },
  'process/detach': { own: [], byKey: observers },
  'process/ack': { own: [], byKey: observers },
  'process/control': { own: [], byKey: operators },
  'process/resize': { own: owners, byKey: operators },
  'process/closeStdin': { own: owners, byKey: operators },
  'process/wait': { own: owners, byKey: observers },
  'console/watch': { own: observers, byKey: [] },
  'console/unwatch': { own: observers, byKey: [] },
};

export function mayCall(role: Role, method: RequestMethod, byKey: boolean): boolean {
  const rule = ROLES[method];
  return (byKey ? rule.byKey : rule.own).includes(role);
}
