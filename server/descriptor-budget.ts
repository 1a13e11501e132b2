// Descriptors that the system allows this process, divided among their users.
import { softLimit } from './host/soft-limit.ts';
import { Budget, divided } from './limits/budget.ts';

export interface DescriptorLimits {
  readonly unprovenSockets: number;
  readonly ownDescriptors: number;
}

/** The gateway's own need and the sockets that have proved nothing have at most so much of all. */
const MOST_UNDIVIDED = 1 / 2;

/** Divides the limit as it is at the start; where the system reports none nothing is divided. */
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
