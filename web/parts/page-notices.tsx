// What the page has to say of what was done away from any pane: what went wrong, and in a word what was done.
import { useEffect, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { pageStore, tellDone, tellProblem } from '../state/page/page-store.ts';
import { visible } from '../../text/visible.ts';

/** Long enough to be read; what must not be missed says so in its pane. */
const PROBLEM_SHOWN_MS = 12_000;
/** It only confirms. */
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

/** Also for dialogs with something to do in them: what is behind them is neither seen nor said. */
export function DoneNotice() {
  const done = useStore(pageStore, (state) => state.done);
  return (
    // Always there, so that what comes into it is said.
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
