// Everything that is public about a process or a session, as watchers get it.
import type { PrintedInfo, ProcessInfo, ProcessState, SessionInfo } from '../../protocol/console.ts';
import type { Process } from '../keeper/process.ts';
import type { Session } from '../sessions/session.ts';

export function processInfo(
  process: Process,
  around: Pick<ProcessInfo, 'watchers' | 'watchedBy' | 'waitsForInput' | 'restartable'>,
): ProcessInfo {
  const { description, spec, termination, remains } = process;
  return {
    ...printedInfo(process),
    processId: description.processId,
    session: description.session,
    startedBy: description.startedBy,
    metadata: description.metadata,
    label: description.label,
    restartOf: description.restartOf,
    argv: spec.argv,
    cwd: spec.cwd,
    tty: spec.tty !== null,
    pipeStdin: spec.pipeStdin,
    pid: process.pid,
    size: process.size,
    sandbox: spec.sandbox?.policy ?? 'none',
    state: stateOf(process),
    exitCode: process.exit?.code ?? null,
    signal: process.exit?.signal ?? null,
    sandboxDenied: process.sandboxDenied,
    startedAtMs: process.startedAtMs,
    exitedAtMs: process.exitedAtMs,
    terminatingSinceMs: termination?.terminatingSinceMs ?? null,
    killAtMs: termination?.killAtMs ?? null,
    survivors: termination?.survivors ?? [],
    escaped: remains.escaped,
    allEndedAtMs: process.allEndedAtMs,
    outputHeld: process.exit !== null && remains.isOutputHeld,
    ...process.attention,
    ...around,
    controller: process.controller,
    acts: process.acts,
    endedBy: process.endedBy,
  };
}

/** What may be other than before when it has only printed, or somebody has typed. */
export function printedInfo(process: Process): PrintedInfo {
  const { key, log } = process;
  return {
    key,
    lastOutputAtMs: process.lastOutputAtMs,
    lastInput: process.lastInput,
    outputBytes: log.totalBytes,
    nextSeq: log.nextSeq,
    firstRetainedSeq: log.firstSeq,
    title: process.title,
    lastLine: process.lastLine,
    progress: process.attention.progress,
  };
}

/** A gateway that knows a process runs it: `starting` and `lost` are seen only from farther away. */
function stateOf(process: Process): ProcessState {
  if (process.isClosed) return 'closed';
  return process.exit ? 'exited' : 'running';
}

export function sessionInfo(session: Session): SessionInfo {
  return {
    label: session.label,
    clientName: session.clientName,
    startedBy: session.owner.name,
    attached: session.isAttached,
    connectedAtMs: session.connectedAtMs,
    detachedAtMs: session.detachedAtMs,
    processCount: session.processCount,
  };
}
