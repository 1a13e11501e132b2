// Facts in a pane about the end of a process: time until SIGKILL, remaining processes, and the proof that none is left.
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { leftText } from '../../../text/amounts.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { useKnownAt } from '../../parts/use-known-at.tsx';
import { climb } from '../../state/ending/climb.ts';
import { hasProof, isHeldUnseen, isTerminating, STEP_NAME } from '../../state/ending/ladder.ts';
import { survivorsText } from '../../state/ending/report.ts';
import { StepButton } from './step-button.tsx';

/** Delay before survivors are listed, since most processes end sooner. */
const NOTICE_AFTER_MS = 1000;

/** Shows in the pane's header the countdown to SIGKILL or, once there is proof, that everything has ended. */
export function EndFacts({ info }: { readonly info: ProcessInfo }) {
  const now = useKnownAt(isTerminating(info));
  if (info.killAtMs !== null) {
    const leftMs = info.killAtMs - now;
    return (
      <span className="status-word terminating end-countdown">
        {leftMs > 0 ? `SIGKILL in ${leftText(leftMs)}` : 'SIGKILL sent'}
      </span>
    );
  }
  return hasProof(info) ? (
    <span className="end-proof" title="The gateway found no descendant of this process still running">
      everything ended
    </span>
  ) : null;
}

interface EndNoticesProps {
  readonly info: ProcessInfo;
  readonly onError: (problem: string) => void;
}

/** Notices above the output: names of survivors and of processes outside the OS session, and an open output pipe. */
export function EndNotices({ info, onError }: EndNoticesProps) {
  const parts = useConsole();
  const isOnline = useStore(processStore, ({ connection }) => mayAct(connection));
  const now = useKnownAt(isTerminating(info));
  const { terminatingSinceMs, survivors, escaped, key } = info;
  const isLate = terminatingSinceMs !== null && now - terminatingSinceMs >= NOTICE_AFTER_MS;
  return (
    <>
      {isLate && survivors.length > 0 ? (
        <p className="pane-notice warn">Still running: {survivorsText(survivors)}</p>
      ) : null}
      {isHeldUnseen(info) ? (
        <p className="pane-notice warn">
          Output pipe still open: a process that the gateway cannot detect may still be running
        </p>
      ) : null}
      {escaped.length > 0 ? (
        <p className="pane-notice warn can-act">
          <span>Still running outside the OS session: {survivorsText(escaped)}</span>
          {isOnline ? (
            <StepButton
              className="link-button"
              label={STEP_NAME.endEscaped}
              text={STEP_NAME.endEscaped}
              onStep={() => climb(parts, { step: 'endEscaped', keys: [key], place: 'pane' }, onError)}
            />
          ) : null}
        </p>
      ) : null}
    </>
  );
}
