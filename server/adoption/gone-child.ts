// A child that no keeper has any more: only what it has printed is known.
import type { Child } from '../host/child.ts';

/** No process has this pid, so that nothing is searched for or signalled in its name. */
const NO_PID = -1;

/** `startedAt`: its earliest possible start, by which it is found when it runs on; null when that is not known. */
export const goneChild = (pid: number | null, startedAt: number | null, tty: boolean): Child => ({
  pid: pid ?? NO_PID,
  writable: false,
  tty,
  lineage: { marks: [], startedAt: startedAt ?? Infinity },
  streams: [],
  isOutputHeld: false,
  pause: () => {},
  resume: () => {},
  catchUp: () => {},
  write: () => 'closed',
  closeStdin: () => {},
  resize: () => {},
  signalGroup: () => {},
  abandon: () => {},
});
