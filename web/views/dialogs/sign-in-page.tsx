// Page shown without a credential: how to sign in.
import { KeyRound } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { parsePasted, type Pasted } from '../../state/page/pasted-link.ts';

interface SignInPageProps {
  readonly problem: string | null;
  /** True when a connection has permanently failed. */
  readonly hasFailed: boolean;
}

export function SignInPage({ problem, hasFailed }: SignInPageProps) {
  /** True once the person edits the field, since the problem then refers to the previous text. */
  const [isEdited, setEdited] = useState(false);
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
        {problem && !isEdited ? (
          <p role="alert" className="sign-in-problem">
            {problem}
          </p>
        ) : null}
        <p>
          This page shows and controls processes on a machine, so you need a sign-in link. When the gateway
          starts, it prints a link like this one; it works once, within 10 minutes:
        </p>
        <pre>{`${page}#code=…`}</pre>
        <PasteForm onEdit={() => setEdited(true)} />
        <p>
          No link at hand? Run this command on the gateway’s machine to print a new one; in a clone of the
          repository, put <code>npx</code> before it:
        </p>
        <pre>exec-console link</pre>
      </div>
    </main>
  );
}

/** Base URL of this page, which is the gateway's address. */
const page = new URL('.', location.href).href;

const goTo = (href: string): void => location.replace(href);

function PasteForm({ onEdit }: { readonly onEdit: () => void }) {
  const [text, setText] = useState('');
  const [pasted, setPasted] = useState<Pasted | null>(null);
  const elsewhere = pasted?.kind === 'link' ? pasted.elsewhere : null;

  function signIn(event: FormEvent): void {
    event.preventDefault();
    const next = parsePasted(text, page);
    if (next.kind === 'link' && next.elsewhere === null) goTo(next.href);
    else setPasted(next);
  }

  return (
    <form className="sign-in-form field" onSubmit={signIn}>
      <label htmlFor="sign-in-link">Link or code</label>
      <div className="secret-line">
        <input
          id="sign-in-link"
          className="plain"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={pasted ? 'sign-in-pasted' : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPasted(null);
            onEdit();
          }}
        />
        <button type="submit" className="primary">
          Sign in
        </button>
      </div>
      {pasted?.kind === 'problem' ? (
        <p id="sign-in-pasted" role="alert" className="sign-in-problem">
          {pasted.text}
        </p>
      ) : null}
      {pasted?.kind === 'link' && elsewhere !== null ? (
        <div id="sign-in-pasted" role="alert" className="sign-in-problem">
          <p>
            This link is for <code>{elsewhere}</code>, and this page is at <code>{page}</code>. Use the code
            here only if this address leads to that gateway, as a tunnel does.
          </p>
          <div className="dialog-buttons start">
            <button
              type="button"
              className="secondary small"
              onClick={() => goTo(elsewhere + new URL(pasted.href).hash)}
            >
              Open {elsewhere}
            </button>
            <button type="button" className="secondary small" onClick={() => goTo(pasted.href)}>
              Use the code here
            </button>
          </div>
        </div>
      ) : null}
    </form>
  );
}
