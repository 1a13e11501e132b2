// Which role may call which method: one table, enforced for every request.
import type { RequestMethod } from '../../protocol/methods.ts';
import type { Role } from '../../protocol/session.ts';
import type { Identity } from './identity.ts';

/** Who may call a method about its own session (or nothing in particular), and about any process at all. */
interface Rule {
  readonly own: readonly Role[];
  readonly any: readonly Role[];
}

const everybody: readonly Role[] = ['agent', 'observer', 'operator', 'admin'];
const owners: readonly Role[] = ['agent', 'operator', 'admin'];
const observers: readonly Role[] = ['observer', 'operator', 'admin'];
const operators: readonly Role[] = ['operator', 'admin'];
const admins: readonly Role[] = ['admin'];

const ROLES: { readonly [M in RequestMethod]: Rule } = {
  initialize: { own: everybody, any: [] },
  'environment/info': { own: everybody, any: [] },
  'environment/status': { own: everybody, any: [] },
  'process/start': { own: owners, any: operators },
  'process/read': { own: owners, any: observers },
  'process/write': { own: owners, any: operators },
  'process/signal': { own: owners, any: operators },
  'process/terminate': { own: owners, any: operators },
  'environmentConfig/read': { own: owners, any: [] },
  'http/request': { own: owners, any: [] },
  'fs/readFile': { own: owners, any: [] },
  'fs/writeFile': { own: owners, any: [] },
  'fs/createDirectory': { own: owners, any: [] },
  'fs/getMetadata': { own: owners, any: [] },
  'fs/readDirectory': { own: owners, any: [] },
  'fs/canonicalize': { own: owners, any: [] },
  'fs/walk': { own: owners, any: [] },
  'fs/remove': { own: owners, any: [] },
  'fs/copy': { own: owners, any: [] },
  'fs/open': { own: owners, any: [] },
  'fs/readBlock': { own: owners, any: [] },
  'fs/writeBlock': { own: owners, any: [] },
  'fs/close': { own: owners, any: [] },
  'fs/watchMissing': { own: owners, any: [] },
  'process/restart': { own: [], any: operators },
  'process/attach': { own: [], any: observers },
  'process/detach': { own: [], any: observers },
  'process/ack': { own: [], any: observers },
  'process/control': { own: [], any: operators },
  'process/resize': { own: owners, any: operators },
  'process/closeStdin': { own: owners, any: operators },
  'process/wait': { own: owners, any: observers },
  'process/snapshot': { own: [], any: observers },
  'console/usage': { own: observers, any: [] },
  'console/tiles': { own: observers, any: [] },
  'console/look': { own: observers, any: [] },
  'console/search': { own: observers, any: [] },
  'console/audit': { own: operators, any: operators },
  'console/watch': { own: observers, any: [] },
  'console/unwatch': { own: observers, any: [] },
  'console/tokens': { own: admins, any: [] },
  // Whoever is no admin makes them for agents only, which the method itself sees to.
  'console/createToken': { own: operators, any: [] },
  'console/revokeToken': { own: admins, any: [] },
  'console/share': { own: operators, any: operators },
  'console/shares': { own: operators, any: [] },
  'console/revokeShare': { own: operators, any: [] },
};

/** Whether it may know how the gateway as a whole is doing; not an agent's business, nor that of who was shown one process. */
export const seesGateway = ({ role, share }: Identity): boolean =>
  role !== 'agent' && (share?.key ?? null) === null;

/** Whether it may have processes of its own; who may not only looks. */
export const ownsProcesses = ({ role }: Identity): boolean => mayCall(role, 'process/start', false);

export function mayCall(role: Role, method: RequestMethod, isBeyondOwn: boolean): boolean {
  const rule = ROLES[method];
  return (isBeyondOwn ? rule.any : rule.own).includes(role);
}
