// Roles and the methods that each may call, according to the records of the methods; enforced for every request.
import type { RequestMethod } from '../../protocol/methods.ts';
import { METHODS } from '../../protocol/records.ts';
import type { Role } from '../../protocol/session.ts';
import type { Identity } from './identity.ts';

/** True for roles that may see the state of the gateway as a whole: not agents, not guests. */
export const seesGateway = ({ role, share }: Identity): boolean =>
  role !== 'agent' && (share?.key ?? null) === null;

/** True for roles that may have processes of their own; all others only watch. */
export const ownsProcesses = ({ role }: Identity): boolean => mayCall(role, 'process/start', false);

export function mayCall(role: Role, method: RequestMethod, isBeyondOwn: boolean): boolean {
  const { own, any } = METHODS[method].roles;
  return (isBeyondOwn ? any : own).includes(role);
}
