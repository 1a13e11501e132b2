// Error for a decision on a request that is no longer waiting.
import type { Approval, ApprovalDecision, ApprovalState } from '../../protocol/approvals.ts';
import { visible } from '../../text/visible.ts';

const WORDS: { readonly [decision in ApprovalDecision]: string } = {
  accept: 'approved',
  acceptForSession: 'approved',
  acceptWithRule: 'approved',
  decline: 'declined',
  abort: 'aborted',
};

const UNDECIDED: { readonly [state in ApprovalState]?: string } = {
  declined: 'was refused by a rule',
  withdrawn: 'was withdrawn',
  expired: 'expired',
};

/** Returns the error message; it names the person who decided, or whose change released the request. */
export function alreadyOver({ decision, decidedBy, state }: Approval): string {
  if (decision === null) return `the request ${UNDECIDED[state] ?? 'is no longer waiting'}`;
  if (decision === 'released')
    return `the request no longer needs approval after a change by ${visible(decidedBy ?? '')}`;
  return `${visible(decidedBy ?? '')} has already ${WORDS[decision]} the request`;
}
