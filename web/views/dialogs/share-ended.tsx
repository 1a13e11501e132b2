// Page shown when a share has ended or cannot be opened: the reason, and no retries.
import { EyeOff } from 'lucide-react';
import { hasOwnCredential } from '../../state/page/credential.ts';
import { leaveGuest } from '../../state/page/storage.ts';

/** `problem`: why the share cannot be opened; null when it has ended. */
export function ShareEnded({ problem }: { readonly problem: string | null }) {
  return (
    <main className="sign-in">
      <div className="sign-in-card" role="status">
        <span className="sign-in-icon" aria-hidden="true">
          <EyeOff size={22} />
        </span>
        <h1>{problem === null ? 'This share has ended' : 'This share cannot be opened'}</h1>
        <p>
          {problem ??
            'It was revoked or has expired. To keep watching, ask the person who shared it for a new link.'}
        </p>
        {hasOwnCredential() ? (
          <button
            type="button"
            className="secondary"
            onClick={() => {
              leaveGuest();
              location.reload();
            }}
          >
            Open the console as yourself
          </button>
        ) : null}
      </div>
    </main>
  );
}
