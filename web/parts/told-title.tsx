// The title of a process in one line: whole where it fits, and where it does not, shortened to what tells it from others.
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { processStore } from '../state/processes/process-store.ts';
import { commandTitles, titlesOf } from '../state/processes/process-title.ts';

interface ToldTitleProps {
  readonly processKey: string;
  readonly className: string;
  /** True: the command, also of what a person has given a label. */
  readonly isCommand?: boolean;
  /** Text of the title of a process that nobody knows any more. */
  readonly unknown?: string;
}

export function ToldTitle({ processKey, className, isCommand = false, unknown = '' }: ToldTitleProps) {
  const { whole, cut, tight } = useStore(
    processStore,
    useShallow(({ processes }) => {
      const info = processes[processKey];
      if (!info) return { whole: unknown, cut: unknown, tight: unknown };
      return isCommand ? commandTitles(processes, info.argv) : titlesOf(processes, info);
    }),
  );
  return (
    <span className={`told-title ${className}`}>
      {/* Drawn by the style sheet in the place of the whole title, which readers and searches always have. */}
      <span className="told-title-cut" data-told={cut} data-tight={tight} aria-hidden="true" />
      <span>{whole}</span>
    </span>
  );
}

/** True when the element of a title shows less than the whole of it. */
export const isTitleCut = (element: Element): boolean => element.scrollHeight > element.clientHeight + 2;
