// Controls for deciding a request: buttons with their keys, the rule before it is written, and a message to the agent.
import { useEffect, useRef, type ReactNode, type Ref } from 'react';
import { useStore } from 'zustand';
import type { Approval, ApprovalDecision } from '../../../protocol/approvals.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { decide, MESSAGE_CHARS } from '../../state/approvals/decide.ts';
import {
  changeDraft,
  draftOf,
  dropDraft,
  isMeant,
  requestView,
  showRule,
  type RequestPlace,
} from '../../state/approvals/request-view.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { MarkedText } from './marked-text.tsx';
import { numberText } from '../../../text/amounts.ts';

interface RequestActsProps {
  readonly request: Approval;
  readonly place: RequestPlace;
  readonly buttons: Ref<HTMLParagraphElement>;
  /** False until the request has been in its place for a moment, and once it is decided or no longer needed. */
  readonly isReady: boolean;
  /** True once the end of the command has been in view; approving requires it. */
  readonly isRead: boolean;
  /** Ids of other, identical requests. */
  readonly identical: readonly string[];
}

export function RequestActs({ request, place, buttons, isReady, isRead, identical }: RequestActsProps) {
  const { id, kind, proposedRules } = request;
  const { client } = useConsole();
  const isOnline = useStore(processStore, ({ connection }) => mayAct(connection));
  const isRuleShown = useStore(requestView, ({ rule }) => isMeant(rule, { id, place }));
  const { message, areAllMeant } = useStore(requestView, (state) => draftOf(state, { id, place }));
  useEffect(() => () => dropDraft({ id, place }), [id, place]);
  const mayDecide = isReady && isOnline;
  const mayApprove = mayDecide && isRead;
  const act = (decision: ApprovalDecision): void => {
    decide(client, { id, place }, decision, decision === 'acceptWithRule' ? proposedRules : undefined);
  };
  const approving = { isReady: mayApprove, onAct: act };
  const refusing = { isReady: mayDecide, onAct: act };
  return (
    <div className="request-acts">
      {identical.length > 0 ? (
        <label className="request-identical">
          <input
            type="checkbox"
            checked={areAllMeant}
            onChange={({ target }) => changeDraft({ id, place }, { areAllMeant: target.checked })}
          />
          {identical.length === 1
            ? 'Also decide the identical request'
            : `Also decide the ${numberText(identical.length)} identical requests`}
        </label>
      ) : null}
      {isRuleShown ? (
        <RulePreview
          rules={proposedRules}
          isReady={mayApprove}
          onWrite={() => {
            showRule(null);
            act('acceptWithRule');
          }}
          onCancel={() => showRule(null)}
        />
      ) : null}
      <p ref={buttons} className="request-buttons">
        <DecideButton
          {...approving}
          decision="accept"
          keyName="y"
          className={isRuleShown ? 'secondary' : 'primary'}
        >
          Approve once
        </DecideButton>
        {kind === 'tool' ? null : (
          <DecideButton {...approving} decision="acceptForSession" keyName="s" className="secondary">
            Approve for session
          </DecideButton>
        )}
        {proposedRules.length > 0 && !isRuleShown ? (
          <button
            type="button"
            className="secondary"
            title="Show the rule before writing it (r)"
            aria-disabled={!mayApprove}
            onClick={() => {
              if (mayApprove) showRule({ id, place });
            }}
          >
            Add rule …
          </button>
        ) : null}
        <DecideButton {...refusing} decision="decline" keyName="n" className="secondary">
          Decline
        </DecideButton>
        <DecideButton {...refusing} decision="abort" keyName="a" className="secondary danger">
          Abort
        </DecideButton>
      </p>
      <MessageField
        id={id}
        place={place}
        message={message}
        onChange={(changed) => changeDraft({ id, place }, { message: changed })}
        onSend={() => {
          if (mayDecide) act('decline');
        }}
      />
    </div>
  );
}

const TITLES: { readonly [decision in ApprovalDecision]: string } = {
  accept: 'Approve this request once',
  acceptForSession: 'Approve this request, and identical ones automatically for the rest of its session',
  acceptWithRule: 'Write the rule, and approve this request',
  decline: 'Decline the request; the agent gets the message and continues',
  abort: 'Decline the request, terminate the processes of its thread, and hold the thread’s new commands',
};

interface DecideButtonProps {
  readonly decision: ApprovalDecision;
  readonly keyName: string;
  readonly className: string;
  readonly isReady: boolean;
  readonly onAct: (decision: ApprovalDecision) => void;
  readonly children: ReactNode;
}

function DecideButton({ decision, keyName, className, isReady, onAct, children }: DecideButtonProps) {
  return (
    <button
      type="button"
      className={className}
      title={`${TITLES[decision]} (${keyName})`}
      aria-keyshortcuts={keyName}
      // The button keeps the focus, which a disabled button may lose.
      aria-disabled={!isReady}
      // Exempt from the guard against stray clicks, so that cards can be decided one after another in the same place.
      data-repeats={decision}
      onClick={(event) => {
        // The second click of a double click must not count.
        if (isReady && event.detail <= 1) onAct(decision);
      }}
    >
      {children}
    </button>
  );
}

interface RulePreviewProps {
  readonly rules: readonly string[];
  readonly isReady: boolean;
  readonly onWrite: () => void;
  readonly onCancel: () => void;
}

function RulePreview({ rules, isReady, onWrite, onCancel }: RulePreviewProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div
      className="request-rule"
      role="group"
      aria-label="Rule to be written"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <p>This will be added to the gateway’s rules and apply to every agent:</p>
      <pre>
        {rules.map((rule) => (
          <div key={rule}>
            <MarkedText text={rule} />
          </div>
        ))}
      </pre>
      <p className="request-buttons">
        <button
          ref={button}
          type="button"
          className="primary"
          aria-disabled={!isReady}
          onClick={(event) => {
            if (isReady && event.detail <= 1) onWrite();
          }}
        >
          Write rule and approve
        </button>
        <button type="button" className="secondary" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </div>
  );
}

interface MessageFieldProps {
  readonly id: string;
  readonly place: RequestPlace;
  readonly message: string;
  readonly onChange: (message: string) => void;
  readonly onSend: () => void;
}

function MessageField({ id, place, message, onChange, onSend }: MessageFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const meant = useStore(requestView, (state) =>
    isMeant(state.message, { id, place }) ? state.message : null,
  );
  useEffect(() => {
    if (meant) field.current?.focus();
  }, [meant]);
  return (
    <input
      ref={field}
      type="text"
      className="request-message"
      aria-label="Message to the agent"
      placeholder="Message if you decline or abort"
      maxLength={MESSAGE_CHARS}
      autoComplete="off"
      value={message}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) onSend();
        else if (event.key === 'Escape') event.currentTarget.closest<HTMLElement>('[tabindex="0"]')?.focus();
      }}
    />
  );
}
