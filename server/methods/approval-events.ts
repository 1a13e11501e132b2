// Effects of approvals besides the reply to the agent: changes in the console, audit entries, the --on-waiting
// command, and interrupted or terminated processes.
import type { Approval, Pause } from '../../protocol/approvals.ts';
import { TERMINATE_GRACE_MS } from '../../protocol/console-constants.ts';
import type { ApprovalsOptions } from '../approvals/approvals-options.ts';
import type { OnWaiting } from '../approvals/on-waiting.ts';
import type { Waiter } from '../approvals/waiting.ts';
import type { Audit } from '../audit/audit.ts';
import { shortCommand, shortText } from '../audit/acts.ts';
import type { Console } from '../console/console.ts';
import { callerOf } from './peer-audit.ts';

export function approvalEvents(
  console: Console,
  audit: Audit,
  onWaiting: OnWaiting | null,
): ApprovalsOptions['events'] {
  const record = ({ peer, approval }: Waiter, act: string, more: Readonly<Record<string, unknown>>): void =>
    audit.record({
      ...callerOf(peer),
      act,
      key: approval.key,
      details: { id: approval.id, method: approval.method, ...more },
    });
  return {
    changed: (approval) => console.changes.approvalChanged(approval),
    asked: (waiter) => {
      if (!console.isWatchedByOperator) onWaiting?.notify(waiter.approval);
      record(waiter, 'askApproval', questionOf(waiter.approval));
    },
    over: (waiter) => {
      const { state, decision, decidedBy, message, createdAtMs, decidedAtMs } = waiter.approval;
      const { tally } = console;
      if (state !== 'waiting') tally.approvals[state] += 1;
      if (decision !== null && decision !== 'released') {
        tally.approvalDecisions += 1;
        tally.approvalDecisionMs += (decidedAtMs ?? createdAtMs) - createdAtMs;
      }
      // Any other decision is audited with the request that made it, under the name of the person.
      if (decision === null || decision === 'released')
        record(waiter, 'approvalOver', {
          state,
          ...(decision && { decision }),
          ...(decidedBy !== null && { by: decidedBy }),
          ...(message !== null && { reason: shortText(message) }),
        });
    },
    settingsChanged: () => console.changes.approvalSettingsChanged(),
    interrupt: (pause, by) => {
      for (const process of console.directory.all()) {
        if (process.exit || process.description.isConsole || !isMeant(pause, process.description)) continue;
        if (pause.why === 'aborted') void process.terminate(TERMINATE_GRACE_MS, by);
        else process.signal('interrupt', by);
      }
    },
  };
}

const questionOf = ({
  kind,
  argv,
  cwd,
  details,
  clientName,
  reason,
}: Approval): Readonly<Record<string, unknown>> => ({
  argv: shortCommand(argv),
  cwd: shortText(cwd),
  ...(kind === 'tool' && details !== null && { details: shortText(details) }),
  reason: shortText(reason),
  ...(clientName !== '' && { clientName: shortText(clientName) }),
});

interface Described {
  readonly startedBy: string;
  readonly session: string;
  readonly metadata: Readonly<Record<string, string>>;
}

function isMeant(
  { agent, session, thread }: Pause,
  { startedBy, session: label, metadata }: Described,
): boolean {
  if (agent !== null && agent !== startedBy) return false;
  // A thread may have continued in another session; a pause holds its starts there, too.
  if (thread !== null) return metadata['threadId'] === thread;
  return session === null || session === label;
}
