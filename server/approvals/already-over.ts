// Error for a decision on a request that is no longer waiting.
import type { Approval, ApprovalDecision } from '../../protocol/approvals.ts';
import { visible } from '../../text/visible.ts';

const WORDS: { readonly [decision in ApprovalDecision]: string } = {
  accept: 'approved',
  acceptForSession: 'approved',
  acceptWithRule: 'approved',
  decline: 'declined',
  abort: 'aborted',
};

/** Returns the error: the first decision and its author, or why the request ended without a person's decision. */
export function alreadyOver({ decision, decidedBy, state }: Approval): string {
  if (decision === null || decision === 'released') {
    const how = { withdrawn: 'was withdrawn', expired: 'expired' }[state as 'withdrawn' | 'expired'];
    return `the request ${how ?? 'is no longer waiting'}`;
  }
  return `${visible(decidedBy ?? '')} has already ${WORDS[decision]} the request`;
}
