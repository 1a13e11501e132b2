// Log lines: the events of the gateway and their wording.
import type { AuditEntry } from '../../protocol/audit.ts';
import { CloseCode } from '../../protocol/console-constants.ts';
import type { GatewayHealth } from '../../protocol/health.ts';
import { countedText } from '../../text/amounts.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { SpawnError } from '../host/spawn.ts';
import type { Peer, SessionVisit } from '../sessions/peer.ts';
import type { Session } from '../sessions/session.ts';
import type { Level, Line, Log } from './log.ts';

/** Frequent acts, which are logged at the level `debug`. */
const QUIET: ReadonlySet<string> = new Set(['attach', 'resize', 'input']);
const LOUD: ReadonlySet<string> = new Set(['refused', 'tooMany']);

/** Returns the log line of an audit entry, with the same name and details. */
export function actLine(entry: AuditEntry): Line {
  const { act, who, role, token, connection, from, key, bytes, details } = entry;
  const level: Level = LOUD.has(act) ? 'warn' : QUIET.has(act) ? 'debug' : 'info';
  return [
    level,
    role === '' ? refusal(entry) : sentenceOf(entry),
    {
      event: act,
      ...(connection !== '' && { connection }),
      ...(key !== null && { process: key }),
      ...(role !== '' && { identity: { name: who, role, token } }),
      from,
      ...(bytes !== undefined && { bytes }),
      ...(details && { details }),
    },
  ];
}

function refusal({ from, details }: AuditEntry): string {
  const { path, reason } = details ?? {};
  return `refused ${typeof path === 'string' ? path : `a connection from ${from}`}: ${String(reason)}`;
}

function sentenceOf({ act, who, role, connection, from, key, details }: AuditEntry): string {
  const { method, reason, count } = details ?? {};
  const more = [key, method, reason ?? (typeof count === 'number' ? countedText(count, 'time') : null)];
  const what = more.filter((each) => typeof each === 'string').join(' ');
  return `${who} (${role}, ${connection || from}): ${act}${what && ` ${what}`}`;
}

/** Returns the log line of a connection closed by the gateway, such as on shutdown or after a protocol violation. */
export function closedForLine(
  { code, reason: sent }: { readonly code: number; readonly reason: string },
  { label: connection, identity: { name, role, tokenId } }: Peer,
): Line {
  const isViolation = code === CloseCode.policyViolation;
  const isPeers = code === CloseCode.flooded || isViolation;
  // The reason of a policy violation quotes the peer's message, which may contain anything, even a token.
  const reason = isViolation ? 'it violated the protocol' : sent;
  return [
    isPeers ? 'warn' : 'info',
    `closed the connection ${connection} of ${name}: ${reason}`,
    { event: 'closed', connection, identity: { name, role, token: tokenId }, code, reason },
  ];
}

export function sessionLine(
  event: SessionVisit,
  session: Session,
  { label: connection, identity: { name, role, tokenId } }: Peer,
): Line {
  const how = { sessionMade: 'created', sessionResumed: 'resumed', sessionDetached: 'detached' }[event];
  const { label, clientName, processCount } = session;
  return [
    'info',
    `session ${label} ${how} by ${name} (${connection})`,
    {
      event,
      connection,
      session: label,
      identity: { name, role, token: tokenId },
      clientName,
      processes: processCount,
    },
  ];
}

export function sessionEndedLine({ label, owner: { name, tokenId } }: Session): Line {
  const keys = { event: 'sessionEnded', session: label, identity: { name, token: tokenId } };
  return ['info', `session ${label} has ended`, keys];
}

export function exitedLine(process: ProcessView): Line {
  const { key, description, exit, log, startedAtMs, exitedAtMs } = process;
  const { code = null, signal = null } = exit ?? {};
  return [
    'info',
    `process ${key} ${signal === null ? `exited with code ${code}` : `was killed by ${signal}`}`,
    {
      event: 'processExited',
      process: key,
      session: description.session,
      exitCode: code,
      signal,
      tookMs: (exitedAtMs ?? startedAtMs) - startedAtMs,
      outputBytes: log.totalBytes,
    },
  ];
}

export const closedLine = ({ key, description: { session }, log }: ProcessView): Line => [
  'debug',
  `process ${key} is closed`,
  { event: 'processClosed', process: key, session, outputBytes: log.totalBytes },
];

/**
 * Returns the log line of a failed start: a warning only when a system resource was exhausted. The line of the failed
 * request names the caller.
 */
export const notStartedLine = ({ message, starved }: SpawnError): Line => [
  starved ? 'warn' : 'info',
  `a start failed: ${message}`,
  { event: 'notStarted', reason: message, starved: starved?.message ?? null },
];

export function defectLine(what: string, error: unknown): Line {
  const stack = error instanceof Error ? error.stack : String(error);
  return ['error', `${what} failed: ${stack}`, { event: 'defect', what, stack }];
}

/** Returns the log line about entries of earlier gateways that could not be read. */
export function auditSkippedLine(count: number, reason: string | null): Line {
  const what = `skipped ${countedText(count, 'line')}${reason === null ? '' : `: ${reason}`}`;
  const keys = { event: 'auditSkipped', count, reason };
  return ['warn', `the audit log of earlier gateways could not be read completely: ${what}`, keys];
}

interface HealthSource {
  readonly state: GatewayHealth;
  onChange(listener: () => void): () => void;
}

/** Logs each reason for degraded health when it begins and when it ends. */
export function logHealth(health: HealthSource, log: Log): void {
  let known: ReadonlySet<string> = new Set();
  health.onChange(() => {
    const now = new Set(health.state.reasons);
    for (const reason of now) {
      if (!known.has(reason)) log('warn', `degraded: ${reason}`, { event: 'degraded', reason });
    }
    for (const reason of known) {
      if (!now.has(reason)) log('info', `resolved: ${reason}`, { event: 'recovered', reason });
    }
    known = now;
  });
}
