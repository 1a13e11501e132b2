// Decides which methods a role may call, by the table of methods in protocol/.
import type { RequestMethod } from '../../protocol/methods.ts';
import { METHODS } from '../../protocol/records.ts';
import type { Role } from '../../protocol/session.ts';
import type { Identity } from './identity.ts';

/** Returns true for an identity that may see the state of the whole gateway; false for agents and guests. */
export const seesGateway = ({ role, share }: Identity): boolean => role !== 'agent' && !share;

/** Returns true for an identity whose role may start processes; all others only watch. */
export const ownsProcesses = ({ role }: Identity): boolean => mayCall(role, 'process/start', false);

export function mayCall(role: Role, method: RequestMethod, isBeyondOwn: boolean): boolean {
  const { own, any } = METHODS[method].roles;
  return (isBeyondOwn ? any : own).includes(role);
}
