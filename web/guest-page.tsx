// What whoever came by a share sees: the console, to look at; or one process, and nothing around it.
import { useStore } from 'zustand';
import { App } from './app.tsx';
import { processStore } from './state/processes/process-store.ts';
import { SharedProcess } from './views/guest/shared-process.tsx';

export function GuestPage() {
  const share = useStore(processStore, (state) => state.share);
  // Before the gateway has said what is shown nothing else is.
  if (share === null) return <Opening />;
  return share.key === null ? <App /> : <SharedProcess processKey={share.key} />;
}

function Opening() {
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const isWaiting = useStore(processStore, ({ connection }) => connection.kind === 'waiting');
  // Somebody's own credential in a tab that once was a guest's.
  if (isOnline) return <App />;
  return (
    <main className="sign-in">
      <p role="status" className="share-opening">
        {isWaiting ? 'The gateway cannot be reached. Trying again …' : 'Opening what is shared with you …'}
      </p>
    </main>
  );
}
