// Which role may call which method, as the records of the methods say; enforced for every request.
import type { RequestMethod } from '../../protocol/methods.ts';
import { METHODS } from '../../protocol/records.ts';
import type { Role } from '../../protocol/session.ts';
import type { Identity } from './identity.ts';

/** Whether it may know how the gateway as a whole is doing; not an agent's business, nor that of who was shown one process. */
export const seesGateway = ({ role, share }: Identity): boolean =>
  role !== 'agent' && (share?.key ?? null) === null;

/** Whether it may have processes of its own; who may not only looks. */
export const ownsProcesses = ({ role }: Identity): boolean => mayCall(role, 'process/start', false);

export function mayCall(role: Role, method: RequestMethod, isBeyondOwn: boolean): boolean {
  const { own, any } = METHODS[method].roles;
  return (isBeyondOwn ? any : own).includes(role);
}
