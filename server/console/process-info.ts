// Describes a process or a session by its public facts, as sent to watchers.
import type { PrintedInfo, ProcessInfo, ProcessState, SessionInfo } from '../../protocol/console.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Session } from '../sessions/session.ts';

export function processInfo(
  process: ProcessView,
  around: Pick<ProcessInfo, 'watchers' | 'watchedBy' | 'waitsForInput' | 'restartable' | 'pinnedBy'>,
): ProcessInfo {
  const { description, spec, termination, remains } = process;
  return {
    ...printedInfo(process),
    processId: description.processId,
    session: description.session,
    clientName: description.clientName ?? null,
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
    ...(process.isStillRunning && { stillRunning: true as const }),
    ...(description.notRecorded && { notRecorded: true as const }),
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

/** Returns the members that can change when a process only prints or receives input. */
export function printedInfo(process: ProcessView): PrintedInfo {
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

function stateOf(process: ProcessView): ProcessState {
  if (process.isClosed) return 'closed';
  if (process.isLost) return 'lost';
  return process.exit ? 'exited' : 'running';
}

/** `sessionTtlMs`: lifetime of a detached session. */
export function sessionInfo(
  session: Session,
  { sessionTtlMs }: { readonly sessionTtlMs: number },
): SessionInfo {
  const { detachedAtMs } = session;
  return {
    label: session.label,
    clientName: session.clientName,
    startedBy: session.owner.name,
    attached: session.isAttached,
    connectedAtMs: session.connectedAtMs,
    detachedAtMs,
    expiresAtMs: detachedAtMs === null ? null : detachedAtMs + sessionTtlMs,
    processCount: session.processCount,
  };
}
