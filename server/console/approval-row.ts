// A start that waits for approval, as a row in the list of processes.
import type { Approval } from '../../protocol/approvals.ts';
import type { ProcessInfo } from '../../protocol/console.ts';

/** Returns a row with the request's id as its key, and with empty values for members that only processes have. */
export const approvalRow = (approval: Approval): ProcessInfo => ({
  key: approval.id,
  processId: approval.processId ?? '',
  session: approval.session,
  startedBy: approval.startedBy,
  metadata: approval.metadata,
  label: null,
  restartOf: null,
  pinnedBy: null,
  restartable: false,
  argv: approval.argv,
  cwd: approval.cwd,
  tty: approval.tty,
  pipeStdin: approval.pipeStdin,
  pid: 0,
  size: null,
  sandbox: approval.sandboxed ? 'requested' : 'none',
  state: 'waiting-for-approval',
  exitCode: null,
  signal: null,
  sandboxDenied: false,
  startedAtMs: approval.createdAtMs,
  exitedAtMs: null,
  terminatingSinceMs: null,
  killAtMs: null,
  survivors: [],
  escaped: [],
  allEndedAtMs: null,
  outputHeld: false,
  lastOutputAtMs: null,
  lastInput: null,
  outputBytes: 0,
  nextSeq: 1,
  firstRetainedSeq: 1,
  title: null,
  lastLine: null,
  bellAtMs: null,
  notification: null,
  progress: null,
  waitsForInput: false,
  watchers: 0,
  watchedBy: [],
  controller: null,
  acts: [],
  endedBy: null,
});

/** Form of a request's id; keys of processes are longer. */
const ID = /^a-[\w-]{12}$/;
export const isRequestId = (key: string): boolean => ID.test(key);

/** Returns true for a request to start a process; only these are rows in the list while they wait. */
export const isRow = ({ kind }: Approval): boolean => kind === 'start';
