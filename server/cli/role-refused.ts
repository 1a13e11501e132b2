// Explains the refusal of a request that the role of the token does not allow.
import { ROLES } from '../../protocol/console-constants.ts';
import { isMethod } from '../../protocol/records.ts';
import { mayCall } from '../policy/roles.ts';

const REFUSAL = /^the role (\w+) (?:may not|is not allowed to) call ([\w/]+)( outside its own session)?$/;

/** Returns a text with the role that is needed and the remedy; null for another message, or if no role suffices. */
export function roleRefused(message: string): string | null {
  const [, own, method = '', beyondOwn] = REFUSAL.exec(message) ?? [];
  if (own === undefined || !isMethod(method)) return null;
  const needed = ROLES.find((role) => role !== 'agent' && mayCall(role, method, beyondOwn !== undefined));
  if (needed === undefined) return null;
  return `the token's role is ${own}, but this needs the role ${needed}\nUse a token with that role; an admin creates one with: exec-console token create NAME --role ${needed}`;
}
