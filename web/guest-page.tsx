// The page of a guest who came by a share: the whole console, read-only; or one process, and nothing around it.
import { useStore } from 'zustand';
import { App } from './app.tsx';
import { processStore } from './state/processes/process-store.ts';
import { SharedProcess } from './views/guest/shared-process.tsx';

export function GuestPage() {
  const share = useStore(processStore, (state) => state.share);
  // Nothing is shown before the gateway has reported what is shared.
  if (share === null) return <Opening />;
  return share.key === null ? <App /> : <SharedProcess processKey={share.key} />;
}

function Opening() {
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const isWaiting = useStore(processStore, ({ connection }) => connection.kind === 'waiting');
  // A tab that once was a guest's may be signed in with a credential of its own.
  if (isOnline) return <App />;
  return (
    <main className="sign-in">
      <p role="status" className="share-opening">
        {isWaiting ? 'The gateway cannot be reached. Trying again …' : 'Opening the share …'}
      </p>
    </main>
  );
}
