// Title of a process in one line, shortened if necessary so that it still differs from other titles.
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { processStore } from '../state/processes/process-store.ts';
import { commandTitles, titlesOf } from '../state/processes/process-title.ts';

interface ShortTitleProps {
  readonly processKey: string;
  readonly className: string;
  /** True to show the command even if the process has a label. */
  readonly isCommand?: boolean;
  /** Text shown when the page does not know the process. */
  readonly unknown?: string;
}

export function ShortTitle({ processKey, className, isCommand = false, unknown = '' }: ShortTitleProps) {
  const { whole, cut, tight } = useStore(
    processStore,
    useShallow(({ processes }) => {
      const info = processes[processKey];
      if (!info) return { whole: unknown, cut: unknown, tight: unknown };
      return isCommand ? commandTitles(processes, info.argv) : titlesOf(processes, info);
    }),
  );
  return (
    <span className={`short-title ${className}`}>
      {/* The style sheet shows this instead of the full title, which stays available to screen readers and
          searches. */}
      <span className="short-title-cut" data-short={cut} data-tight={tight} aria-hidden="true" />
      <span>{whole}</span>
    </span>
  );
}

/** True when the element shows only a part of the title. */
export const isTitleCut = (element: Element): boolean => element.scrollHeight > element.clientHeight + 2;
