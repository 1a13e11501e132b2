// Bars of a pane with problems and outages, in their own space below the header, so that they cover no line of the
// terminal.
import { useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';

export function PaneBars({ processKey }: { readonly processKey: string }) {
  const isEmpty = useStore(processStore, ({ terminals: { [processKey]: terminal } }) => {
    return (terminal?.notice ?? null) === null && (terminal?.outage ?? null) === null;
  });
  return isEmpty ? null : <Bars processKey={processKey} />;
}

function Bars({ processKey }: { readonly processKey: string }) {
  const { terminals } = useConsole();
  const notice = useStore(processStore, (state) => state.terminals[processKey]?.notice ?? null);
  const outage = useStore(processStore, (state) => state.terminals[processKey]?.outage ?? null);
  const bars = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bars.current;
    if (!element) return;
    // The bars push the terminal down, so its layout depends on their height.
    const take = (): void => terminals.get(processKey)?.fit.keepUnder(element.offsetHeight);
    take();
    const observer = new ResizeObserver(take);
    observer.observe(element);
    return () => {
      observer.disconnect();
      terminals.get(processKey)?.fit.keepUnder(0);
    };
  }, [processKey, terminals]);
  return (
    <div ref={bars} className="pane-bars">
      {notice === null ? null : (
        <Bar kind="bad" text={visible(notice)} onDismiss={() => terminals.get(processKey)?.notify(null)} />
      )}
      {outage === null ? null : (
        <Bar kind="warn" text={outage} onDismiss={() => terminals.get(processKey)?.outage.dismiss()} />
      )}
    </div>
  );
}

interface BarProps {
  readonly kind: 'bad' | 'warn';
  readonly text: string;
  readonly onDismiss: () => void;
}

function Bar({ kind, text, onDismiss }: BarProps) {
  return (
    <p role="alert" className={`pane-bar ${kind}`}>
      <span>{text}</span>
      <button
        type="button"
        className="link-button"
        data-repeats="dismiss"
        // A press must not move the keyboard focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => {
          const pane = currentTarget.closest<HTMLElement>('.pane');
          const hadFocus = document.activeElement === currentTarget;
          onDismiss();
          if (hadFocus) pane?.focus();
        }}
      >
        Dismiss
      </button>
    </p>
  );
}
