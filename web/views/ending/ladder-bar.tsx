// Bars below the list: the report of the last step, the confirmation of a step, and steps for the selection.
import { numberText } from '../../../text/amounts.ts';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { isOver, restartAll } from '../../state/starting/restart.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { showProblem } from '../../state/page/page-store.ts';
import { ableOf, climb, forgetDone, ladderStore } from '../../state/ending/climb.ts';
import { STEP_NAME, type Step } from '../../state/ending/ladder.ts';
import { Question } from './question.tsx';
import { reportOf, type Done } from '../../state/ending/report.ts';
import { SelectionBar } from './selection-bar.tsx';
import { StepButton } from './step-button.tsx';

export function LadderBar({ onAnswered }: { readonly onAnswered: () => void }) {
  const done = useStore(ladderStore, (state) => state.done);
  return (
    <>
      {/* The element is always present, so that screen readers announce text added later. */}
      <div role="status" aria-label="Result">
        {done === null ? null : <WhatBecame done={done} onDone={onAnswered} />}
      </div>
      <div className="ladder-bar-question">
        <Question place="list" onError={showProblem} onAnswered={onAnswered} />
      </div>
      <SelectionBar />
    </>
  );
}

/** Time for which a report is shown after its text last changed, unless the pointer or focus is in it. */
const SHOWN_MS = 30_000;

/** Step offered after each step, for the processes that are still running; null when there is none. */
const AFTER: { readonly [step in Step]: Step | null } = {
  interrupt: 'terminate',
  terminate: 'kill',
  kill: null,
  endEscaped: null,
};

interface WhatBecameProps {
  readonly done: Done;
  /** Called when the report is dismissed, to move the focus out of it. */
  readonly onDone: () => void;
}

function WhatBecame({ done, onDone }: WhatBecameProps) {
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
  const ended = useStore(
    processStore,
    useShallow(({ processes }) =>
      there === '' ? done.keys.flatMap((key) => restartableOf(processes[key])) : [],
    ),
  );
  const { isHeld, handlers } = useHeld();
  useEffect(() => {
    if (isHeld || text === '') return;
    const timer = setTimeout(forgetDone, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, text]);
  if (text === '') return null;
  const dismiss = (): void => {
    forgetDone();
    onDone();
  };
  return (
    <div className="ladder-report" {...handlers}>
      <p title={text}>{text}</p>
      {offers ? (
        <StepButton
          className="link-button"
          label={nameOfRest(step)}
          text={nameOfRest(step)}
          onStep={() => climb(parts, { step, keys, place: 'list', isOfTheRest: true }, showProblem)}
        />
      ) : null}
      {isOnline && ended.length > 0 ? (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            dismiss();
            restartAll(parts, ended).catch((error: unknown) => showProblem(errorSentence(error)));
          }}
        >
          {ended.length === 1 ? 'Restart' : `Restart all ${numberText(ended.length)}`}
        </button>
      ) : null}
      <IconButton icon={X} label="Dismiss report" onClick={dismiss} />
    </div>
  );
}

/** Returns whether the pointer or focus is in an element, and the event handlers for that element. */
function useHeld() {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const handlers = {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
  return { isHeld: isPointed || isFocused, handlers };
}

const restartableOf = (info: ProcessInfo | undefined): ProcessInfo[] =>
  info?.restartable === true && info.endedBy !== null && isOver(info) ? [info] : [];

const nameOfRest = (step: Step): string =>
  step === 'endEscaped' ? STEP_NAME[step] : `${STEP_NAME[step]} the rest`;
