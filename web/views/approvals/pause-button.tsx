// Pause button: holds all new starts of all agents until it is pressed again, and ends nothing.
import { CirclePause, CirclePlay } from 'lucide-react';
import { useStore } from 'zustand';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { approvalsStore } from '../../state/approvals/approvals-store.ts';
import { pause, unpause } from '../../state/approvals/decide.ts';
import { processStore } from '../../state/processes/process-store.ts';

export function PauseButton() {
  const { client } = useConsole();
  const mayChange = useStore(processStore, ({ connection }) => mayAct(connection));
  const hasApprovals = useStore(approvalsStore, ({ settings }) => settings !== null);
  const paused = useStore(
    approvalsStore,
    ({ settings }) => settings?.pauses.find(({ agent }) => agent === null)?.id ?? null,
  );
  if (!mayChange || !hasApprovals) return null;
  return (
    <IconButton
      icon={paused === null ? CirclePause : CirclePlay}
      label={paused === null ? 'Pause all agents' : 'Unpause all agents'}
      hint={
        paused === null
          ? 'Pause all agents: new commands wait, and running processes continue'
          : 'Unpause all agents, and start the commands that only the pause holds'
      }
      pressed={paused !== null}
      onClick={() => (paused === null ? pause(client, { all: true }) : unpause(client, { id: paused }))}
    />
  );
}
