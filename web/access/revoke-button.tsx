// Ends a token or a share, asked once more in its own place.
import { useState } from 'react';

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
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <button
        type="button"
        className="secondary small"
        aria-label={`${act} ${what}`}
        onClick={() => setAsking(true)}
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
        setAsking(false);
      }}
    >
      <span>{question}</span>
      <button type="button" className="secondary small" autoFocus onClick={() => setAsking(false)}>
        Keep
      </button>
      <button
        type="button"
        className="secondary small danger"
        onClick={() => {
          setAsking(false);
          onRevoke();
        }}
      >
        {act}
      </button>
    </span>
  );
}
