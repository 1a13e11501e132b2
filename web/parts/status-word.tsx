// How a process is, in words; while the page is offline, how it was when somebody here last knew.
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../protocol/console.ts';
import { isLive, isWaiting, stateText, statusOf, statusText } from '../../text/process-words.ts';
import { processStore } from '../state/processes/process-store.ts';

export function StatusWord({ info }: { readonly info: ProcessInfo }) {
  const isOffline = useStore(processStore, ({ connection }) => connection.kind !== 'online');
  const waits = isWaiting(info);
  // That it runs goes without saying.
  const words = stateText({ ...info, sandboxDenied: false });
  // What has ended stays as it ended, whoever looks.
  if (isOffline && isLive(info)) return <span className="status-word">last known: {words}</span>;
  return (
    <span className={`status-word ${waits ? 'waiting' : statusOf(info)}`}>
      {words}
      {/* A narrow pane says it below. */}
      <span className="status-also">{statusText(info).slice(waits ? Infinity : words.length)}</span>
    </span>
  );
}
