// Complete facts of a running process, so that a test sets only the facts that matter to it.
import type { ProcessInfo } from '../console.ts';

const RUNNING: ProcessInfo = {
  key: 'a',
  processId: 'one',
  session: 's1',
  startedBy: 'agent',
  metadata: {},
  label: null,
  restartOf: null,
  pinnedBy: null,
  restartable: false,
  argv: ['npm', 'test'],
  cwd: '/repo',
  tty: true,
  pipeStdin: false,
  pid: 7,
  size: { rows: 24, cols: 80 },
  sandbox: 'none',
  state: 'running',
  exitCode: null,
  signal: null,
  sandboxDenied: false,
  startedAtMs: 0,
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
  waitsForInput: false,
  watchers: 0,
  watchedBy: [],
  bellAtMs: null,
  notification: null,
  progress: null,
  controller: null,
  acts: [],
  endedBy: null,
};

export const processInfo = (given: Partial<ProcessInfo> = {}): ProcessInfo => ({ ...RUNNING, ...given });

/** Facts of ended processes. */
export const SUCCEEDED = { state: 'closed', exitCode: 0 } as const;
export const FAILED = { state: 'closed', exitCode: 1 } as const;
export const TERMINATED = {
  state: 'closed',
  exitCode: 143,
  signal: 'SIGTERM',
  endedBy: { who: 'page', how: 'terminate', atMs: 1 },
} as const;
