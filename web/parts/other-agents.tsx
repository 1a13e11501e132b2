// Link from the empty page to the instructions for agents other than Codex.
import { useStore } from 'zustand';
import { mayAct } from '../../client/connection-state.ts';
import { openDialog } from '../state/page/page-store.ts';
import { processStore } from '../state/processes/process-store.ts';

export function OtherAgents() {
  const mayConnect = useStore(processStore, ({ connection }) => mayAct(connection));
  if (!mayConnect) return null;
  return (
    <button type="button" className="link-button" onClick={() => openDialog('connect')}>
      Claude Code, Gemini CLI, opencode, Cursor, VS Code …
    </button>
  );
}
