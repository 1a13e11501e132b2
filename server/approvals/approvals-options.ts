// Options of approvals: settings of the gateway, and effects beyond the reply to an agent.
import type { Pause } from '../../protocol/approvals.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import type { StartCircumstances } from './start-question.ts';
import type { IsGivenBy, QueueEvents, WaitingLimits } from './waiting.ts';

export interface ApprovalsOptions extends StartCircumstances {
  readonly stateDir: string;
  /** Policy that the gateway was started with. */
  readonly policy: ApprovalPolicy;
  /** Files and folders of rules that the gateway only reads. */
  readonly ruleFiles: readonly string[];
  readonly limits: StartCircumstances['limits'] & WaitingLimits;
  /** Returns true when the second token, directly or indirectly, created the first one. */
  readonly isGivenBy: IsGivenBy;
  /** Returns true for the id of a token that has neither expired nor been revoked. */
  readonly isValid: (tokenId: string) => boolean;
  readonly events: QueueEvents & {
    /** Called when policies, pauses or rules have changed. */
    readonly settingsChanged: () => void;
    /**
     * Called to interrupt the running processes that a pause applies to, or to terminate them if an abort
     * made the pause.
     */
    readonly interrupt: (pause: Pause, by: string) => void;
  };
}
