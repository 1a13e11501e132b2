// Roles and the methods that each may call, as the records of the methods say; enforced for every request.
import type { RequestMethod } from '../../protocol/methods.ts';
import { METHODS } from '../../protocol/records.ts';
import type { Role } from '../../protocol/session.ts';
import type { Identity } from './identity.ts';

/** True for roles that may know how the gateway as a whole is doing: not agents, not guests. */
export const seesGateway = ({ role, share }: Identity): boolean =>
  role !== 'agent' && (share?.key ?? null) === null;

/** True for roles that may have processes of their own; all others only look. */
export const ownsProcesses = ({ role }: Identity): boolean => mayCall(role, 'process/start', false);

export function mayCall(role: Role, method: RequestMethod, isBeyondOwn: boolean): boolean {
  const { own, any } = METHODS[method].roles;
  return (isBeyondOwn ? any : own).includes(role);
}
