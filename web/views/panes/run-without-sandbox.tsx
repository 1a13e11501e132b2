// Button for a process that its sandbox has probably blocked: restarts it without the agent's sandbox, as the person's
// own process.
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { SettlingButton } from '../../parts/settling-button.tsx';
import { refusalSentence } from '../../state/page/refusal.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { mayRunWithoutSandbox, startAgainWithoutSandbox } from '../../state/starting/restart.ts';

interface RunWithoutSandboxProps {
  readonly info: ProcessInfo;
  readonly onError: (problem: string) => void;
}

export function RunWithoutSandbox({ info, onError }: RunWithoutSandboxProps) {
  const parts = useConsole();
  const isOperator = useStore(processStore, ({ connection }) => mayAct(connection));
  if (!isOperator || !mayRunWithoutSandbox(info)) return null;
  return (
    <SettlingButton
      className="link-button"
      title="Starts the command again under your name, without the agent’s sandbox"
      onPress={() => {
        startAgainWithoutSandbox(parts, info).catch((error: unknown) => onError(refusalSentence(error)));
      }}
    >
      Run again without the sandbox
    </SettlingButton>
  );
}
