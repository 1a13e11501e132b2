// Notes on pauses, which hold starts until a person lifts them, and on rules that are invalid or not accepted, which
// make every start need approval.
import { CirclePause, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import type { ApprovalSettings, Pause } from '../../../protocol/approvals.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { clockText, countedText } from '../../../text/amounts.ts';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { pause as hold, unpause } from '../../state/approvals/decide.ts';
import { pausedText } from '../../state/approvals/request-words.ts';
import { openDialog } from '../../state/page/page-store.ts';
import { processStore } from '../../state/processes/process-store.ts';

/** Maximum number of pauses listed here; the dialog lists all of them. */
const MOST_SHOWN = 4;

export function PauseNotes({ settings }: { readonly settings: ApprovalSettings }) {
  const { pauses, tightened } = settings;
  const mayChange = useStore(processStore, ({ connection }) => mayAct(connection));
  const more = pauses.length - MOST_SHOWN;
  return (
    <>
      {tightened === null ? null : (
        <div role="status" className="approvals-note warn">
          <TriangleAlert size={14} aria-hidden="true" />
          <span>Every new command waits: {visible(tightened)}.</span>
          {mayChange ? (
            <button type="button" className="link-button" onClick={() => openDialog('approvals')}>
              Rules …
            </button>
          ) : null}
        </div>
      )}
      {pauses.slice(0, MOST_SHOWN).map((pause) => (
        <PauseNote key={pause.id} pause={pause} mayChange={mayChange} />
      ))}
      {more > 0 ? (
        <button type="button" className="link-button" onClick={() => openDialog('approvals')}>
          {countedText(more, 'more pause')}
        </button>
      ) : null}
    </>
  );
}

export function PauseNote({ pause, mayChange }: { readonly pause: Pause; readonly mayChange: boolean }) {
  const { client } = useConsole();
  const { id, agent, session, thread, why, by, atMs } = pause;
  const scope = session !== null ? { session } : agent !== null ? { agent } : ({ all: true } as const);
  const what = why === 'aborted' ? 'Aborted' : 'Paused';
  return (
    <div role="status" className="approvals-note">
      <CirclePause size={14} aria-hidden="true" />
      <span>
        <b>
          {what}: {pausedText(pause)}
        </b>{' '}
        by {visible(by)}, {clockText(atMs)}. New commands wait.
      </span>
      {mayChange ? (
        <span className="approvals-note-acts">
          {thread === null ? (
            <button
              type="button"
              className="link-button"
              title="Sends SIGINT (Ctrl-C) to every running process that this pause covers"
              onClick={() => hold(client, { ...scope, interrupt: true })}
            >
              Interrupt running processes
            </button>
          ) : null}
          <button type="button" className="link-button" onClick={() => unpause(client, { id })}>
            {why === 'aborted' ? 'Unpause thread' : 'Unpause'}
          </button>
        </span>
      ) : null}
    </div>
  );
}
