// Connection state of the page, with a button that retries at once while the page is offline.
import { asSentence } from '../../text/error-text.ts';
import { visible } from '../../text/visible.ts';
import { useStore } from 'zustand';
import { processStore } from '../state/processes/process-store.ts';
import { useConsole } from './console-context.tsx';
import { durationText, leftText } from '../../text/amounts.ts';
import { useNow } from './use-now.tsx';

export function ConnectionStatus() {
  const connection = useStore(processStore, (state) => state.connection);
  const { client } = useConsole();
  const now = useNow(connection.kind === 'waiting' || connection.kind === 'silent');
  const shown =
    connection.kind === 'initializing' || connection.kind === 'idle' ? 'connecting' : connection.kind;
  return (
    <div className="connection">
      <span role="status" data-connection-state={shown} className={`connection-state ${shown}`}>
        <span className="connection-dot" aria-hidden="true" />
        {shown === 'online' ? 'Online' : null}
        {shown === 'connecting' ? 'Connecting …' : null}
        {connection.kind === 'silent' ? <Silent sinceMs={connection.sinceMs} nowMs={now} /> : null}
        {shown === 'failed' ? 'Rejected' : null}
        {connection.kind === 'waiting' ? <Waiting retryAtMs={connection.retryAtMs} nowMs={now} /> : null}
      </span>
      {connection.kind === 'waiting' ? (
        <button
          type="button"
          className="link-button"
          title={asSentence(visible(connection.reason))}
          onClick={() => client.connection.retryNow()}
        >
          Try now
        </button>
      ) : null}
    </div>
  );
}

/** Connection state on a phone while panes hide the list; shows nothing while the page is online. */
export function PhoneConnection() {
  const isLost = useStore(processStore, (state) => state.offlineSinceMs !== null);
  const isSilent = useStore(processStore, ({ connection }) => connection.kind === 'silent');
  if (!isLost) return null;
  return <span className="phone-connection">{isSilent ? 'Not responding' : 'Offline'}</span>;
}

function Silent({ sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number }) {
  return <>Not responding for {durationText(Math.max(0, nowMs - sinceMs))}</>;
}

function Waiting({ retryAtMs, nowMs }: { readonly retryAtMs: number; readonly nowMs: number }) {
  const leftMs = retryAtMs - nowMs;
  return <>Offline · {leftMs > 0 ? `retrying in ${leftText(leftMs)}` : 'retrying'}</>;
}
