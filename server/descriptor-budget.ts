// Creates the budget of file descriptors: the system's limit, less the descriptors reserved for the gateway itself and
// for unauthenticated sockets.
import { softLimit } from './host/soft-limit.ts';
import { Budget, divided } from './limits/budget.ts';

export interface DescriptorLimits {
  readonly unprovenSockets: number;
  readonly ownDescriptors: number;
}

/** Maximum share of all descriptors for the gateway itself and unauthenticated sockets together. */
const MOST_UNDIVIDED = 1 / 2;

/** Returns a budget for the descriptors allowed at the start; it is unlimited when the system reports no limit. */
export function descriptorBudget({ unprovenSockets, ownDescriptors }: DescriptorLimits): Budget {
  const most = descriptorLimit();
  const undivided = Math.min(unprovenSockets + ownDescriptors, Math.floor(most * MOST_UNDIVIDED));
  return new Budget('descriptors', divided(most - undivided));
}

function descriptorLimit(): number {
  try {
    return Number(softLimit('self', 'Max open files') ?? Number.MAX_SAFE_INTEGER);
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
