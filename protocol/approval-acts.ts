// Details of the audit log's entries about requests for approval, as later gateways read them.
import { z } from 'zod';
import { decideParams } from './approvals.ts';

const argv = z.array(z.string()).optional();
/** Details of `askApproval`. */
export const askedDetails = z.object({
  id: z.string(),
  method: z.string(),
  reason: z.string(),
  argv,
  cwd: z.string().optional(),
  details: z.string().optional(),
  clientName: z.string().optional(),
});
export type AskedDetails = z.infer<typeof askedDetails>;

/** Details of `approve`, `decline` and `abort`. */
export const decidedDetails = z.object({
  id: z.string(),
  decision: decideParams.shape.decision,
  message: z.string().optional(),
  argv,
  agent: z.string().optional(),
});
export type DecidedDetails = z.infer<typeof decidedDetails>;

/**
 * Details of `approvalOver` for a request that nobody answered in time, or that a rule refuses after a change `by` a
 * person; later gateways ignore those of other requests.
 */
export const overDetails = z.object({
  id: z.string(),
  state: z.enum(['expired', 'declined']),
  by: z.string().optional(),
  reason: z.string().optional(),
});
