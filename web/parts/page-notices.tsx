// Notices about acts outside of any pane: problems, and short confirmations.
import { useEffect, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { pageStore, tellDone, tellProblem } from '../state/page/page-store.ts';
import { visible } from '../../text/visible.ts';

/** Time for which a problem is shown: enough to read it; lasting problems are shown in their pane. */
const PROBLEM_SHOWN_MS = 12_000;
/** Time for which a confirmation is shown. */
const DONE_SHOWN_MS = 2000;

/** `children`: notices of single features, between the two. */
export function PageNotices({ children }: { readonly children: ReactNode }) {
  const problem = useStore(pageStore, (state) => state.problem);
  return (
    <div className="page-notices">
      {problem === null ? null : <Problem key={problem} problem={problem} />}
      {children}
      <DoneNotice />
    </div>
  );
}

/** Confirmation, also for dialogs that are worked in: what is behind a dialog is neither seen nor read out. */
export function DoneNotice() {
  const done = useStore(pageStore, (state) => state.done);
  return (
    // The element is always there, so that its later text is read out.
    <div role="status" aria-label="Done">
      {done === null ? null : <Done key={done.turn} text={done.text} />}
    </div>
  );
}

function Problem({ problem }: { readonly problem: string }) {
  useEffect(() => {
    const timer = setTimeout(() => tellProblem(null), PROBLEM_SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="alert" className="page-problem">
      {visible(problem)}
      <button type="button" className="link-button" onClick={() => tellProblem(null)}>
        Dismiss
      </button>
    </p>
  );
}

function Done({ text }: { readonly text: string }) {
  useEffect(() => {
    const timer = setTimeout(() => tellDone(null), DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return <p className="page-done">{text}</p>;
}
