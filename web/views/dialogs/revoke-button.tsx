// Button that revokes a token or a share, after a confirmation in the same place.
import { useState } from 'react';
import { useStore } from 'zustand';
import { processStore } from '../../state/processes/process-store.ts';
import { whyNotChange } from '../../state/processes/why-not-start.ts';

interface RevokeButtonProps {
  /** Full question, for example `Revoke this share, and disconnect 2 guests?` */
  readonly question: string;
  readonly act: string;
  /** Object that completes the button's accessible name. */
  readonly what: string;
  readonly onRevoke: () => void;
}

export function RevokeButton({ question, act, what, onRevoke }: RevokeButtonProps) {
  const refusal = useStore(processStore, ({ connection }) => whyNotChange(connection));
  const [state, setState] = useState<'begun' | 'asking' | 'cancelled'>('begun');
  if (state !== 'asking') {
    return (
      <button
        type="button"
        className="secondary small"
        aria-label={`${act} ${what}`}
        // The focus returns here after a cancelled confirmation.
        autoFocus={state === 'cancelled'}
        disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={() => setState('asking')}
      >
        {act}
      </button>
    );
  }
  return (
    <span
      role="group"
      aria-label={question}
      className="revoke-question"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Escape cancels the confirmation, not the dialog.
        event.preventDefault();
        event.stopPropagation();
        setState('cancelled');
      }}
    >
      <span>{question}</span>
      <button
        type="button"
        className="secondary small danger"
        disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={() => {
          setState('begun');
          onRevoke();
        }}
      >
        {act}
      </button>
      {/* Cancel takes the first button's place, so that the second press of an accidental double press only
          cancels. */}
      <button type="button" className="secondary small" autoFocus onClick={() => setState('cancelled')}>
        Cancel
      </button>
    </span>
  );
}
