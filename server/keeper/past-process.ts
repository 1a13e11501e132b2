// A process restored from its recording: readable like any other, but not controllable.
import type { ProcessInfo } from '../../protocol/console.ts';
import { EventLog } from './event-log.ts';
import type { LogEvent } from './log-event.ts';
import type { ProcessControl, ProcessDescription } from './process-view.ts';

/** Facts and newest output of a process that no longer runs under this gateway. */
export interface Past {
  readonly info: ProcessInfo;
  readonly description: ProcessDescription;
  readonly sandboxType: string;
  readonly events: readonly LogEvent[];
  readonly sizes: readonly { readonly afterSeq: number; readonly rows: number; readonly cols: number }[];
}

const UNDO = (): void => {};

export function pastProcess({ info, description, sandboxType, events, sizes }: Past): ProcessControl {
  const { exitCode, sandboxDenied } = info;
  const log = EventLog.restored(events, sizes, {
    nextSeq: info.nextSeq,
    offset: info.outputBytes,
    exit: exitCode === null ? null : { exitCode, sandboxDenied },
    isClosed: info.state === 'closed',
  });
  return {
    key: info.key,
    processId: info.processId,
    description,
    spec: {
      argv: info.argv,
      cwd: info.cwd,
      tty: info.size,
      pipeStdin: info.pipeStdin,
      sandbox: info.sandbox === 'none' ? null : { type: sandboxType, policy: info.sandbox, isOpen: false },
    },
    startedAtMs: info.startedAtMs,
    log,
    pid: info.pid,
    size: info.size,
    exit: info.exitCode === null ? null : { code: info.exitCode, signal: info.signal },
    sandboxDenied: info.sandboxDenied,
    exitedAtMs: info.exitedAtMs,
    isClosed: info.state === 'closed',
    isLost: info.state !== 'closed',
    isStillRunning: false,
    isFullScreen: false,
    lastOutputAtMs: info.lastOutputAtMs,
    lastInput: info.lastInput,
    typed: [],
    inputBytes: 0,
    attention: { bellAtMs: info.bellAtMs, notification: info.notification, progress: null },
    title: info.title,
    lastLine: info.lastLine,
    outputEnd: { bytes: 0, isWhole: true, opening: '' },
    acts: info.acts,
    endedBy: info.endedBy,
    remains: { isOutputHeld: false, escaped: [] },
    termination: null,
    allEndedAtMs: info.allEndedAtMs,
    controller: null,
    hold: () => ({ release: UNDO, close: UNDO }),
    onChange: () => UNDO,
    onAttention: () => UNDO,
    write: () => 'stdinClosed',
    forgetWriter: UNDO,
    closeStdin: () => 'stdinClosed',
    resize: UNDO,
    signal: UNDO,
    restarted: UNDO,
    killNow: () => ({ running: false }),
    terminate: () => ({ running: false }),
    // The output stays in memory until the recording is removed.
    discardOutput: (isHeldToo = false) => {
      if (isHeldToo) log.discard(log.closedSeq ?? undefined);
    },
  };
}
