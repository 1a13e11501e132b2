// Page shown when another program has taken over the gateway's address: an explanation and a warning.
import { ShieldAlert } from 'lucide-react';

export function StrangerPage() {
  return (
    <main className="sign-in">
      <div className="sign-in-card" role="alert">
        <span className="sign-in-icon" aria-hidden="true">
          <ShieldAlert size={22} />
        </span>
        <h1>Another program answers at this address</h1>
        <p>
          It is not the gateway that this page signed in to. It has received neither your credential nor
          anything that you typed. This page has stopped, and has deleted its key.
        </p>
        <p>
          <strong>Do not reload this page:</strong> a reload would run the page of that program. Close this
          tab. To get a link to the gateway’s new address, run this on its machine:
        </p>
        <pre>exec-console link</pre>
        <p>
          If another user of that machine took the port, contact the machine’s administrator; see
          docs/security.md.
        </p>
      </div>
    </main>
  );
}
