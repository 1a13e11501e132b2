// Confirmation of a ladder step, in place of the pressed button: Enter confirms, Escape cancels.
import { OctagonX } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { useKnownAt } from '../../parts/use-known-at.tsx';
import { ableOf, agree, ladderStore, withdraw, type Climb } from '../../state/ending/climb.ts';
import { STEP_NAME } from '../../state/ending/ladder.ts';
import { questionText } from '../../state/ending/report.ts';
import { StepButton } from './step-button.tsx';

/** Maximum number of process names in the tooltip. */
const MOST_IN_TIP = 20;

interface QuestionProps {
  readonly place: Climb['place'];
  /** Process of the pane, row or tile, which shows only confirmations that affect it; undefined to show all. */
  readonly processKey?: string;
  readonly onError: (problem: string) => void;
  /** Called once the person has confirmed or cancelled, to move the focus out of the confirmation. */
  readonly onAnswered: () => void;
  /** Content while nothing is to be confirmed. */
  readonly children?: ReactNode;
}

export function Question({ place, processKey, children, ...answers }: QuestionProps) {
  const question = useStore(ladderStore, (state) => state.question);
  const isMine =
    question?.place === place && (processKey === undefined || question.keys.includes(processKey));
  return isMine ? <Asked key={question.step} question={question} {...answers} /> : children;
}

interface AskedProps extends Pick<QuestionProps, 'onError' | 'onAnswered'> {
  readonly question: Climb;
}

function Asked({ question, onError, onAnswered }: AskedProps) {
  const parts = useConsole();
  const yes = useRef<HTMLButtonElement>(null);
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    // A menu that opens the confirmation moves the focus to the pane now, so the button gets it a microtask later.
    queueMicrotask(() => yes.current?.focus());
    return () => {
      isThere.current = false;
      // The confirmation is cancelled when the person moves away, so that they do not find it later.
      queueMicrotask(() => {
        if (!isThere.current && ladderStore.getState().question === question) withdraw();
      });
    };
  }, [question]);
  const now = useKnownAt(true);
  // Processes that end in the meantime are removed from the confirmation.
  useStore(processStore, (state) => state.processes);
  const able = ableOf(question);
  const isNone = able.length === 0;
  useEffect(() => {
    if (isNone) withdraw();
  }, [isNone]);
  const { verb, before, name, after, note, ran, names } = questionText(
    question.errand ?? { name: STEP_NAME[question.step] },
    able,
    now,
  );
  const text = `${verb} ${before}${name}${after}${note}? ${ran}`;
  return (
    <span className="ladder-question" role="group" aria-label={text}>
      <span
        className="ladder-asked"
        title={[text, ...names.slice(0, MOST_IN_TIP)].join('\n')}
        aria-hidden="true"
      >
        <span className="ladder-what">
          <span>{`${verb} ${before}`}</span>
          <span className="ladder-object">{name}</span>
          <span>{`${after}${note}?`}</span>
        </span>{' '}
        <span>{ran}</span>
      </span>
      <StepButton
        ref={yes}
        icon={OctagonX}
        className="ladder-yes"
        label={text}
        hint="Enter confirms, Esc cancels."
        text={verb}
        onStep={() => {
          agree(parts, onError);
          onAnswered();
        }}
      />
      <button
        type="button"
        className="ladder-no"
        onClick={() => {
          withdraw();
          onAnswered();
        }}
      >
        Cancel
      </button>
    </span>
  );
}
