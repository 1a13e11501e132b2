// Notices about actions outside of panes: problems and short confirmations.
import { useEffect, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { pageStore, showDone, showProblem } from '../state/page/page-store.ts';
import { visible } from '../../text/visible.ts';

/** Time for which a problem is shown: long enough to read it. A problem that lasts is shown in the pane concerned. */
const PROBLEM_SHOWN_MS = 12_000;
const DONE_SHOWN_MS = 2000;

/** `children`: notices of individual features, shown between problems and confirmations. */
export function PageNotices({ children }: { readonly children: ReactNode }) {
  const isInDialog = useStore(pageStore, (state) => state.hasDialogNotices);
  return (
    <div className="page-notices">
      {isInDialog ? null : <ProblemNotice />}
      {children}
      {isInDialog ? null : <DoneNotice />}
    </div>
  );
}

/** Notices in a dialog, since content behind a dialog is dimmed and not announced. */
export function DialogNotices() {
  useEffect(() => {
    pageStore.setState({ hasDialogNotices: true });
    return () => pageStore.setState({ hasDialogNotices: false });
  }, []);
  return (
    <>
      <ProblemNotice />
      <DoneNotice />
    </>
  );
}

function ProblemNotice() {
  const problem = useStore(pageStore, (state) => state.problem);
  const turn = useStore(pageStore, (state) => state.problemTurn);
  return problem === null ? null : <Problem key={turn} problem={problem} />;
}

function DoneNotice() {
  const done = useStore(pageStore, (state) => state.done);
  return (
    // The element is always present, so that screen readers announce text added later.
    <div role="status" aria-label="Done">
      {done === null ? null : <Done key={done.turn} text={done.text} />}
    </div>
  );
}

function Problem({ problem }: { readonly problem: string }) {
  useEffect(() => {
    const timer = setTimeout(() => showProblem(null), PROBLEM_SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="alert" className="page-problem">
      {visible(problem)}
      <button type="button" className="link-button" onClick={() => showProblem(null)}>
        Dismiss
      </button>
    </p>
  );
}

function Done({ text }: { readonly text: string }) {
  useEffect(() => {
    const timer = setTimeout(() => showDone(null), DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return <p className="page-done">{text}</p>;
}
