// Page for a guest with a share link: the whole console read-only, or a single process.
import { useStore } from 'zustand';
import { App } from './app.tsx';
import { processStore } from './state/processes/process-store.ts';
import { SharedProcess } from './views/guest/shared-process.tsx';

export function GuestPage() {
  const share = useStore(processStore, (state) => state.share);
  // Show no part of the console until the gateway has reported what is shared.
  if (share === null) return <Opening />;
  return share.key === null ? <App /> : <SharedProcess processKey={share.key} />;
}

function Opening() {
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const isWaiting = useStore(processStore, ({ connection }) => connection.kind === 'waiting');
  // A tab that once held a share may since have signed in with a full credential.
  if (isOnline) return <App />;
  return (
    <main className="sign-in">
      <p role="status" className="share-opening">
        {isWaiting ? 'The gateway cannot be reached. Trying again …' : 'Opening the share …'}
      </p>
    </main>
  );
}
