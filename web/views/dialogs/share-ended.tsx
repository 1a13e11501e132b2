// Page shown after a share has ended: a message, and no retries.
import { EyeOff } from 'lucide-react';
import { hasOwnCredential } from '../../state/page/credential.ts';
import { leaveGuest } from '../../state/page/storage.ts';

export function ShareEnded() {
  return (
    <main className="sign-in">
      <div className="sign-in-card" role="status">
        <span className="sign-in-icon" aria-hidden="true">
          <EyeOff size={22} />
        </span>
        <h1>This share has ended</h1>
        <p>
          The share was revoked, or it has expired. To keep watching, ask the person who shared it for a new
          link.
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
