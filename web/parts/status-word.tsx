// Status of a process in words; the last known status while the page is offline.
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../protocol/console.ts';
import { isLive, isWaiting, stateText, statusOf, statusText } from '../../text/process-words.ts';
import { processStore } from '../state/processes/process-store.ts';

export function StatusWord({ info }: { readonly info: ProcessInfo }) {
  const isOffline = useStore(processStore, ({ connection }) => connection.kind !== 'online');
  const waits = isWaiting(info);
  // The note about a sandbox denial follows in a separate element.
  const words = stateText({ ...info, sandboxDenied: false });
  // The status of a finished process cannot change while the page is offline.
  if (isOffline && isLive(info)) return <span className="status-word">last known: {words}</span>;
  return (
    <span className={`status-word ${waits ? 'waiting' : statusOf(info)}`}>
      {words}
      <span>{statusText(info).slice(waits ? Infinity : words.length)}</span>
    </span>
  );
}
