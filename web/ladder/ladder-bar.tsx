// What stands under the list while something is done from it: the question, and what became of the last step.
import { X } from 'lucide-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { mayAct } from '../client/connection-state.ts';
import { useConsole } from '../console-context.tsx';
import { processStore } from '../processes/process-store.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { tellProblem } from '../ui/page-store.ts';
import { ableOf, climb, forgetDone, ladderStore } from './climb.ts';
import { STEP_NAME, type Step } from './ladder.ts';
import { Question } from './question.tsx';
import { reportOf, type Done } from './report.ts';
import { SelectionBar } from './selection-bar.tsx';
import { StepButton } from './step-button.tsx';

export function LadderBar({ onAnswered }: { readonly onAnswered: () => void }) {
  const done = useStore(ladderStore, (state) => state.done);
  return (
    <>
      {/* Always there, so that what comes into it is said. */}
      <div role="status" aria-label="What became of it">
        {done === null ? null : <WhatBecame done={done} />}
      </div>
      <div className="ladder-bar-question">
        <Question place="list" onError={tellProblem} onAnswered={onAnswered} />
      </div>
      <SelectionBar />
    </>
  );
}

/** The rest is one step further from its end. */
const AFTER: { readonly [step in Step]: Step | null } = {
  interrupt: 'terminate',
  terminate: 'kill',
  kill: null,
  endEscaped: null,
};

function WhatBecame({ done }: { readonly done: Done }) {
  const parts = useConsole();
  const { text, there, escaped } = useStore(
    processStore,
    useShallow(({ processes }) => {
      const report = reportOf(done, processes);
      return { ...report, there: report.there.join(' '), escaped: report.escaped.join(' ') };
    }),
  );
  const isOnline = useStore(processStore, ({ connection }) => mayAct(connection));
  const rest = there === '' ? escaped : there;
  const step = there === '' ? 'endEscaped' : AFTER[done.step];
  const keys = rest === '' ? [] : rest.split(' ');
  const offers = isOnline && step !== null && ableOf({ keys, step }).length > 0;
  return (
    <div className="ladder-report">
      <p>{text}</p>
      {offers ? (
        <StepButton
          className="link-button"
          label={nameOfRest(step)}
          text={nameOfRest(step)}
          onStep={() => climb(parts, { step, keys, place: 'list', isOfTheRest: true }, tellProblem)}
        />
      ) : null}
      <IconButton icon={X} label="Dismiss the report" onClick={forgetDone} />
    </div>
  );
}

const nameOfRest = (step: Step): string =>
  step === 'endEscaped' ? STEP_NAME[step] : `${STEP_NAME[step]} the rest`;
