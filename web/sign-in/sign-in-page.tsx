// What a page without a credential shows: how to get in, and nothing else.
import { KeyRound } from 'lucide-react';

interface SignInPageProps {
  readonly problem: string | null;
  /** Whether there was a connection, and it will not come back. */
  readonly hasFailed: boolean;
}

export function SignInPage({ problem, hasFailed }: SignInPageProps) {
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        {hasFailed ? (
          <span role="status" data-connection-state="failed" className="connection-state failed">
            <span className="connection-dot" aria-hidden="true" />
            Disconnected
          </span>
        ) : null}
        <span className="sign-in-icon" aria-hidden="true">
          <KeyRound size={22} />
        </span>
        <h1>Open the link the gateway printed</h1>
        {problem ? (
          <p role="alert" className="sign-in-problem">
            {problem}
          </p>
        ) : null}
        <p>
          This page shows and steers processes on a machine, so it lets nobody in without proof. When the
          gateway starts it prints a link like this one; it works once, within ten minutes:
        </p>
        <pre>{`${location.origin}/#code=…`}</pre>
        <p>
          No link at hand? On the gateway’s machine this prints another one; in the folder of a checkout{' '}
          <code>node dist/server/main.js link</code> does:
        </p>
        <pre>exec-console link</pre>
      </div>
    </main>
  );
}
