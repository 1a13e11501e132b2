// Fact about a running process: the time until its termination once its agent has disconnected, with a button to keep it, or
// the person who keeps it.
import type { MouseEvent } from 'react';
import { useStore } from 'zustand';
import { mayAct } from '../../client/connection-state.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import { leftText } from '../../text/amounts.ts';
import { isLive } from '../../text/process-words.ts';
import { byText } from '../../text/act-text.ts';
import { showProblem } from '../state/page/page-store.ts';
import { refusalSentence } from '../state/page/refusal.ts';
import { processStore } from '../state/processes/process-store.ts';
import { useConsole } from './console-context.tsx';

interface LeftFactProps {
  readonly info: ProcessInfo;
  readonly now: number;
  readonly tabIndex?: 0 | -1;
}

export function LeftFact({ info, now, tabIndex }: LeftFactProps) {
  const { client } = useConsole();
  const endsAtMs = useStore(processStore, ({ sessions }) => sessions[info.session]?.expiresAtMs ?? null);
  const isOperator = useStore(processStore, ({ connection }) => mayAct(connection));
  if (!isLive(info)) return null;
  if (info.pinnedBy !== null)
    return (
      <span
        className="left-fact pinned"
        title={`Kept running${byText(info.pinnedBy)}, even without its agent`}
      >
        kept
      </span>
    );
  if (endsAtMs === null || info.terminatingSinceMs !== null) return null;
  const keep = (event: MouseEvent<HTMLElement>): void => {
    event.stopPropagation();
    // The button disappears once the process is pinned, so the focus moves to the row or pane.
    event.currentTarget.closest<HTMLElement>('[role="row"], .pane')?.focus();
    client.connection
      .request('process/pin', { key: info.key, pinned: true })
      .catch((error: unknown) => showProblem(refusalSentence(error)));
  };
  return (
    <span
      className="left-fact"
      title="Its agent has disconnected. When this time is up, the process is terminated unless a person keeps it."
    >
      ends in {leftText(Math.max(0, endsAtMs - now))}
      {isOperator ? (
        <>
          {' '}
          <button type="button" className="link-button" tabIndex={tabIndex} onClick={keep}>
            Keep
          </button>
        </>
      ) : null}
    </span>
  );
}
