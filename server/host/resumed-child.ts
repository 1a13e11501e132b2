// Resumes a child that an earlier program in this process started, from the descriptors that it left open.
import type { ChildEvents, ChildState, OwnChild } from './child.ts';
import type { Launched } from './launch.ts';
import { PipeChild } from './pipe-child.ts';
import { onceReapedHere } from './posix-spawn.ts';
import { PtyChild } from './pty-child.ts';

/** Returns the resumed child. `hasExited`: true when it has already been reaped, so that `onExit` is not called. */
export function resumedChild(state: ChildState, hasExited: boolean, events: ChildEvents): OwnChild {
  const { pid, lineage, terminal } = state;
  const launched: Launched = {
    pid,
    lineage,
    onExit: (listener) => {
      if (!hasExited) onceReapedHere(pid, listener);
    },
  };
  if (!terminal) return new PipeChild(launched, state, events);
  const { fd: ours, name, childs } = terminal;
  return new PtyChild(launched, { ours, childs, name }, events);
}

/** Returns the descriptors of a child that the next program needs. */
export const descriptorsOf = ({ terminal, stdin, outputs }: ChildState): readonly number[] =>
  [terminal?.fd, terminal?.childs, stdin?.fd, ...outputs.map(({ fd }) => fd)].filter(
    (fd) => typeof fd === 'number',
  );
