// Approval settings: the policy for all agents and for individual ones, pauses, and rules.
import { useCallback } from 'react';
import { useStore } from 'zustand';
import type { ApprovalSettings } from '../../../protocol/approvals.ts';
import { APPROVAL_POLICIES } from '../../../protocol/console-constants.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { CloseForm, useModal } from '../../parts/modal.tsx';
import { DialogNotices } from '../../parts/page-notices.tsx';
import { useAsked } from '../../parts/use-asked.tsx';
import { approvalsStore } from '../../state/approvals/approvals-store.ts';
import { setPolicy } from '../../state/approvals/decide.ts';
import { POLICY_WORDS } from '../../state/approvals/request-words.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { CheckCommand } from './check-command.tsx';
import { PauseNote } from './pause-notes.tsx';
import { RulesPart } from './rules-part.tsx';
import { PAGE_CLIENT_NAME } from '../../state/page/client-name.ts';

interface ApprovalsDialogProps {
  /** Command to check first, or null. */
  readonly argv: readonly string[] | null;
  readonly onClose: () => void;
}

export function ApprovalsDialog({ argv, onClose }: ApprovalsDialogProps) {
  const dialog = useModal();
  const { client } = useConsole();
  const settings = useStore(approvalsStore, (state) => state.settings);
  const mayChange = useStore(processStore, ({ connection }) => mayAct(connection));
  const { answer, problem, askAgain } = useAsked(
    useCallback(() => client.connection.request('console/rules', {}), [client]),
  );
  return (
    <dialog
      ref={dialog}
      className="dialog wide approvals-dialog"
      aria-labelledby="approvals-title"
      onClose={onClose}
    >
      <h2 id="approvals-title">Approval settings</h2>
      <div className="access-body" tabIndex={0} role="region" aria-label="Policies, pauses and rules">
        {settings ? <PolicyPart settings={settings} mayChange={mayChange} /> : null}
        {settings && settings.pauses.length > 0 ? (
          <section aria-labelledby="approvals-pauses">
            <h3 id="approvals-pauses">Paused</h3>
            {settings.pauses.map((pause) => (
              <PauseNote key={pause.id} pause={pause} mayChange={mayChange} />
            ))}
          </section>
        ) : null}
        {problem === null ? null : (
          <p role="alert" className="dialog-problem">
            {problem}
          </p>
        )}
        {answer ? <RulesPart rules={answer} onChanged={askAgain} /> : null}
        <CheckCommand argv={argv} />
      </div>
      <DialogNotices />
      <CloseForm />
    </dialog>
  );
}

interface PolicyPartProps {
  readonly settings: ApprovalSettings;
  readonly mayChange: boolean;
}

function PolicyPart({ settings, mayChange }: PolicyPartProps) {
  const { client } = useConsole();
  const { policy, agents } = settings;
  const names = useAgentNames(settings);
  return (
    <section aria-labelledby="approvals-policy">
      <h3 id="approvals-policy">Approval policy</h3>
      <div role="radiogroup" aria-label="All agents" className="policy-choices">
        {APPROVAL_POLICIES.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="approval-policy"
              checked={each === policy}
              disabled={!mayChange}
              data-begin-here={each === policy || undefined}
              onChange={() => setPolicy(client, each)}
            />
            <span>
              {POLICY_WORDS[each]} <code>{each}</code>
            </span>
          </label>
        ))}
      </div>
      {names.map((name) => (
        <label key={name} className="policy-agent">
          <span>{visible(name)}</span>
          <select
            value={agents.find(({ agent }) => agent === name)?.policy ?? ''}
            disabled={!mayChange}
            onChange={({ target: { value } }) =>
              setPolicy(client, APPROVAL_POLICIES.find((each) => each === value) ?? null, name)
            }
          >
            <option value="">Same as all agents</option>
            {APPROVAL_POLICIES.map((each) => (
              <option key={each} value={each}>
                {POLICY_WORDS[each]}
              </option>
            ))}
          </select>
        </label>
      ))}
      <p className="hint">
        Commands that people start never wait. Rules that forbid something apply under every policy.
      </p>
    </section>
  );
}

/** Returns the token names of agents whose session is not over and of those with an individual policy. */
function useAgentNames({ agents }: ApprovalSettings): readonly string[] {
  const sessions = useStore(processStore, (state) => state.sessions);
  const people = useStore(processStore, (state) => state.people);
  const names = Object.values(sessions)
    // Sessions of pages, which exist for a while after the page was closed, are filtered out here.
    .filter(
      ({ label, isOver, clientName }) => label !== 'console' && !isOver && clientName !== PAGE_CLIENT_NAME,
    )
    .map(({ startedBy }) => startedBy)
    .filter((name) => people.every((person) => person.name !== name));
  return [...new Set([...agents.map(({ agent }) => agent), ...names])].toSorted();
}
