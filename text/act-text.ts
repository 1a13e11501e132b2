// Words for acts on a process: one table for rows, panes and the audit log.
import type { Act } from '../protocol/console.ts';
import { visible } from './visible.ts';

export const ACT_WORDS: { readonly [how in Act['how']]: string } = {
  interrupt: 'interrupted',
  terminate: 'terminated',
  kill: 'killed',
  hangup: 'hung up',
  quit: 'told to quit',
  suspend: 'suspended',
  resume: 'resumed',
  closeStdin: 'its stdin closed',
  restart: 'started again',
  sessionExpired: 'ended with its session',
  gatewayStopped: 'ended with the gateway',
};

/** `terminated by Ada`; acts of the gateway itself have their own words. */
export function actText({ who, how }: Pick<Act, 'who' | 'how'>): string {
  const isOfGateway = how === 'sessionExpired' || how === 'gatewayStopped';
  return isOfGateway ? ACT_WORDS[how] : `${ACT_WORDS[how]} by ${visible(who)}`;
}
