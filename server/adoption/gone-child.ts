// A child that no keeper holds: it may still be running, but only its past output is known.
import type { Child } from '../host/child.ts';

/** No process has this PID, so nothing is searched for or signalled. */
const NO_PID = -1;

/**
 * `startedAt`: earliest possible start of the process; null when it is unknown, so that no running process is
 * taken for this one.
 */
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
