// Ends a token or a share, asked once more in its own place.
import { useState } from 'react';
import { useStore } from 'zustand';
import { processStore } from '../../state/processes/process-store.ts';
import { whyNotChange } from '../../state/processes/why-not-start.ts';

interface RevokeButtonProps {
  /** The whole question, as `End it for 2 who look?` */
  readonly question: string;
  /** What is done, in a word. */
  readonly act: string;
  /** Of what, for everyone who does not see where the button stands. */
  readonly what: string;
  readonly onRevoke: () => void;
}

export function RevokeButton({ question, act, what, onRevoke }: RevokeButtonProps) {
  const refusal = useStore(processStore, ({ connection }) => whyNotChange(connection));
  const [state, setState] = useState<'begun' | 'asking' | 'kept'>('begun');
  if (state !== 'asking') {
    return (
      <button
        type="button"
        className="secondary small"
        aria-label={`${act} ${what}`}
        // Who has thought better of it goes on here.
        autoFocus={state === 'kept'}
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
        // It ends the question, not the dialog.
        event.preventDefault();
        event.stopPropagation();
        setState('kept');
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
      {/* Where the first button was: whoever presses twice by mistake has done nothing. */}
      <button type="button" className="secondary small" autoFocus onClick={() => setState('kept')}>
        Keep
      </button>
    </span>
  );
}
