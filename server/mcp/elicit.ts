// Form for an approval in the agent's own client, and the decision that its user made there.
import { z } from 'zod';
import type { Approval } from '../../protocol/approvals.ts';
import { visible } from '../../text/visible.ts';

const RUN = 'Approve once';
const DECLINE = 'Decline';
/** Maximum number of characters of a command in a form; a longer one is decided in the console. */
const MOST_CHARS = 2000;

/** Returns the form; null for a request that a pause holds, or that a form cannot show completely. */
export function formOf({ argv, cwd, folder, reason, isWhole, pause, input }: Approval): object | null {
  const command = visible(input ?? argv.join(' '));
  if (!isWhole || pause !== null || command.length > MOST_CHARS) return null;
  const leads = folder === null ? '' : `, which leads to ${visible(folder)}`;
  const what = input === null ? 'Run this command?' : 'Send this input?';
  return {
    message: `${what}\n${command}\nFolder: ${visible(cwd)}${leads}\nReason: ${visible(reason)}`,
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', title: 'Decision', enum: [RUN, DECLINE] } },
      required: ['decision'],
    },
  };
}

const chosen = z.object({
  action: z.literal('accept'),
  content: z.object({ decision: z.enum([RUN, DECLINE]) }),
});

/**
 * Returns the user's decision; null unless the form was filled in: clients without a user decline and cancel
 * automatically.
 */
export function decisionOf(result: unknown): 'accept' | 'decline' | null {
  const { data } = chosen.safeParse(result);
  if (!data) return null;
  return data.content.decision === RUN ? 'accept' : 'decline';
}
