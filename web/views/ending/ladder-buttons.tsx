// Buttons for Interrupt, Terminate and Kill in a pane's header; they have text labels, except in a narrow split pane.
import { CircleStop, OctagonX, Zap } from 'lucide-react';
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { TERMINATE_GRACE_MS } from '../../../protocol/console-constants.ts';
import { durationText } from '../../../text/amounts.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { climb } from '../../state/ending/climb.ts';
import { isTerminating, mayStep, nextStep, type Step } from '../../state/ending/ladder.ts';
import { StepButton } from './step-button.tsx';

interface LadderButtonsProps {
  readonly info: ProcessInfo;
  readonly onError: (problem: string) => void;
  /** Moves the focus when the focused step is no longer possible. */
  readonly onFocusLost: () => void;
}

export function LadderButtons({ info, onError, onFocusLost }: LadderButtonsProps) {
  const parts = useConsole();
  const isOnline = useStore(processStore, ({ connection }) => mayAct(connection));
  const take = (step: Step): void => climb(parts, { step, keys: [info.key], place: 'pane' }, onError);
  const next = nextStep(info);
  return (
    <>
      {mayStep(info, 'interrupt') ? (
        <StepButton
          icon={CircleStop}
          className="icon-button ladder-step interrupt"
          label="Interrupt"
          text="Interrupt"
          hint={`Interrupt (SIGINT to the ${info.tty ? 'foreground job' : 'process group'})`}
          disabled={!isOnline}
          onFocusLost={onFocusLost}
          onStep={() => take('interrupt')}
        />
      ) : null}
      {mayStep(info, 'terminate') ? (
        <StepButton
          icon={OctagonX}
          className={`icon-button danger ladder-step ${next === 'terminate' ? 'next' : ''}`}
          label="Terminate"
          hint={`Terminate (SIGTERM to all its processes, SIGKILL after ${durationText(TERMINATE_GRACE_MS)})`}
          disabled={!isOnline}
          onFocusLost={onFocusLost}
          onStep={() => take('terminate')}
          text="Terminate"
        />
      ) : null}
      {isTerminating(info) && mayStep(info, 'kill') ? (
        <StepButton
          icon={Zap}
          className="icon-button danger ladder-step next"
          label="Kill now"
          hint="Kill now (SIGKILL to all its processes)"
          disabled={!isOnline}
          onFocusLost={onFocusLost}
          onStep={() => take('kill')}
          text="Kill now"
        />
      ) : null}
    </>
  );
}
