// Pause button: holds all new starts of all agents until they are unpaused; running processes continue.
import { CirclePause, CirclePlay } from 'lucide-react';
import { useStore } from 'zustand';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { approvalsStore, pauseOfAllAgents } from '../../state/approvals/approvals-store.ts';
import { pause, unpauseAllAgents } from '../../state/approvals/decide.ts';
import { processStore } from '../../state/processes/process-store.ts';

export function PauseButton() {
  const { client } = useConsole();
  const mayChange = useStore(processStore, ({ connection }) => mayAct(connection));
  const hasApprovals = useStore(approvalsStore, ({ settings }) => settings !== null);
  const isPaused = useStore(approvalsStore, ({ settings }) => pauseOfAllAgents(settings) !== undefined);
  if (!mayChange || !hasApprovals) return null;
  return (
    <IconButton
      icon={isPaused ? CirclePlay : CirclePause}
      label={isPaused ? 'Unpause all agents' : 'Pause all agents'}
      hint={
        isPaused
          ? 'Unpause all agents, and start the commands that only the pause holds'
          : 'Pause all agents: new commands wait, and running processes continue'
      }
      pressed={isPaused}
      onClick={() => (isPaused ? unpauseAllAgents(client) : pause(client, { all: true }))}
    />
  );
}
