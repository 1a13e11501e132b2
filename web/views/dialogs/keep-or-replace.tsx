// Question when a sign-in link is opened in a signed-in browser: the page's user must not change silently.
import { UserRound } from 'lucide-react';
import { visible } from '../../../text/visible.ts';
import type { SignedIn } from '../../state/page/credential.ts';

interface KeepOrReplaceProps {
  readonly signedIn: SignedIn;
  readonly onKeep: () => void;
  readonly onReplace: () => void;
}

export function KeepOrReplace({ signedIn: { name, role }, onKeep, onReplace }: KeepOrReplaceProps) {
  return (
    <main className="sign-in">
      <div className="sign-in-card" role="group" aria-labelledby="keep-or-replace">
        <span className="sign-in-icon" aria-hidden="true">
          <UserRound size={22} />
        </span>
        <h1 id="keep-or-replace">You are already signed in</h1>
        <p>
          This browser is signed in as <strong>{visible(name)}</strong> ({visible(role)}). The link that you
          opened would sign you in as someone else, in all tabs of this gateway after their next reload. Your
          actions would then be logged under that name.
        </p>
        <div className="dialog-buttons start">
          <button type="button" className="primary" autoFocus onClick={onKeep}>
            Stay signed in
          </button>
          <button type="button" className="secondary" onClick={onReplace}>
            Sign in with the link
          </button>
        </div>
        <p className="hint">If you stay signed in, the link stays unused and works until it expires.</p>
      </div>
    </main>
  );
}
