// Exec-console's extensions of the protocol: additive to the reference, and announced in `initialize`.
import { z } from 'zod';
import type { ActivitySince, Person } from './activity.ts';
import type { Approval, ApprovalSettings } from './approvals.ts';
import type { GatewayHealth } from './health.ts';
import { WINDOW_BYTES } from './console-constants.ts';
import type { OutputChunk, ReadResult, WriteResult } from './process.ts';
import { shapes, agentShape, startShape } from './process.ts';
import { count, name, size, type Size } from './scalars.ts';
import { SIGNAL_NAMES, type SignalName } from './signals.ts';

/** Maximum number of processes per usage request. */
const USAGE_KEYS = 1000;

/** Maximum number of processes in view per connection. */
const LOOK_KEYS = 1000;

/** Maximum number of processes per request for tiles. */
const TILE_KEYS = 200;

const key = z.string();
const processId = z.string();
const windowBytes = z.number().int().min(WINDOW_BYTES.min).max(WINDOW_BYTES.max).optional();

export const byKey = {
  read: z.object({
    key,
    ...shapes.read,
    /** True to include output that only the recording still has; otherwise it counts towards `missedBytes`. */
    recorded: z.boolean().optional(),
  }),
  write: z.object({ key, ...shapes.write }),
  signal: z.object({ key, signal: z.enum(SIGNAL_NAMES) }),
  terminate: z.object({
    key,
    graceMs: count.max(600_000).optional(),
    /** True to terminate the processes in `ProcessInfo.escaped` as well. */
    escaped: z.boolean().optional(),
  }),
};

export const startParams = z.object({
  ...startShape,
  session: z.literal('console').optional(),
  // The reference ignores `size`, so a malformed one is ignored here, too.
  size: z
    .unknown()
    .transform((value) => size.safeParse(value).data)
    .optional(),
  label: z.string().max(256).optional(),
  /** False to exclude the output of this console process from the recordings; agents can't request this. */
  recorded: z.boolean().optional(),
  ...agentShape,
  /**
   * Process whose environment and sandbox the new console process copies. `env` is merged over the copied
   * environment. With `ownEnv`, no environment is copied; with `ownSandbox`, no sandbox.
   */
  like: z.object({ key, ownEnv: z.boolean().optional(), ownSandbox: z.boolean().optional() }).optional(),
  windowBytes,
});

export const restartParams = z.object({
  key,
  newProcessId: name,
  size: size.optional(),
  windowBytes,
  /** True to restart without the originally requested sandbox; the operator's minimum still applies. */
  withoutSandbox: z.boolean().optional(),
});
export const attachParams = z.object({ key, afterSeq: count.nullish(), windowBytes });
export const detachParams = z.object({ key });
export const ackParams = z.object({ key, seq: count });
export const controlParams = z.object({
  key,
  take: z.boolean(),
  /** Label of a connection to make controller instead of the caller's; only with `take`. */
  to: z.string().optional(),
});
export const resizeParams = { own: size.extend({ processId }), byKey: size.extend({ key }) };
export const closeStdinParams = { own: z.object({ processId }), byKey: z.object({ key }) };
const waitShape = { until: z.enum(['exited', 'closed']).optional(), waitMs: count };
export const waitParams = {
  own: z.object({ processId, ...waitShape }),
  byKey: z.object({ key, ...waitShape }),
};
export const snapshotParams = z.object({ key, scrollback: count.optional() });
export const usageParams = z.object({
  keys: z.array(key).max(USAGE_KEYS),
  /** One of `keys`, for which the operating-system processes are listed as well. */
  tree: key.optional(),
});
export const tilesParams = z.object({ keys: z.array(key).max(TILE_KEYS) });
export const lookParams = z.object({
  keys: z.array(key).max(LOOK_KEYS),
  /** True when the page is not visible, for example in a background tab. */
  isHidden: z.boolean().optional(),
});
export const searchParams = z.object({
  query: z.string().min(1, 'must not be empty').max(1000),
  regex: z.boolean().optional(),
  caseSensitive: z.boolean().optional(),
  /** Keys of the processes to search; default: all. */
  keys: z.array(key).max(10_000).optional(),
});
export const watchParams = z
  .object({
    sinceChange: count.optional(),
    /** True to receive `printed` instead of whole objects for processes that only printed or received input. */
    isBrief: z.boolean().optional(),
  })
  .nullish();
export const unwatchParams = z.object({}).nullish();

export interface StartResult {
  readonly processId: string;
  readonly sandboxType: string;
  readonly key: string;
}

export interface AttachResult {
  /** Seq of the next event: lower seqs are replay, this one and later ones are live. */
  readonly nextSeq: number;
  readonly firstRetainedSeq: number;
  /** Decoded bytes of all output below `nextSeq`; a reader that counts bytes can compute how many were skipped. */
  readonly offset: number;
  /** Terminal size at event `nextSeq`; null without a tty. */
  readonly size: Size | null;
}

/** Terminal size from the end of event `afterSeq` on, until the next mark. */
export interface SizeMark extends Size {
  readonly afterSeq: number;
}

export interface TimedOutputChunk extends OutputChunk {
  /** Time when the gateway read the chunk's first byte. */
  readonly atMs: number;
}

export interface ReadByKeyResult extends ReadResult {
  readonly chunks: readonly TimedOutputChunk[];
  /** Decoded bytes between `afterSeq` and the first returned chunk that are no longer retained. */
  readonly missedBytes: number;
  readonly exitedSeq: number | null;
  readonly closedSeq: number | null;
  /** Sizes by event; the first applies at the first returned chunk. Empty without a tty. */
  readonly sizes: readonly SizeMark[];
}

export interface WaitResult {
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
}

export interface SnapshotResult extends Size {
  /** Seq of the last event drawn on the screen. */
  readonly seq: number;
  /** Base64; written to a fresh terminal of this size, it restores screen, scrollback and modes. */
  readonly data: string;
  /** False when the screen may lack skipped output. */
  readonly exact: boolean;
}

export type CloseStdinResult = WriteResult;

/**
 * `waiting-for-approval`: not started yet; the key is the id of the request in console/approvals. `lost`: it
 * ran, but its gateway has ended or no longer tracks it.
 */
export type ProcessState = 'waiting-for-approval' | 'starting' | 'running' | 'exited' | 'closed' | 'lost';

/** An action of a person, an agent or the gateway on a process. */
export interface Act {
  /** Name of the token, or `gateway` for the gateway itself. */
  readonly who: string;
  readonly how: SignalName | 'closeStdin' | 'restart' | 'sessionExpired' | 'gatewayStopped';
  readonly atMs: number;
}

/** An act and its position in the output. */
export interface PlacedAct extends Act {
  /** Seq of the newest output that the gateway had read at that time; 0 if none. */
  readonly afterSeq: number;
}

/** An act to which the end of a process can be attributed. */
export interface EndedBy extends Act {
  readonly how: Exclude<Act['how'], 'closeStdin' | 'restart' | 'suspend' | 'resume'>;
}

/** An operating-system process, with a name that people recognize. */
export interface OsProcessName {
  readonly pid: number;
  readonly name: string;
}

/** Public information about a process. Times are ms since the epoch. */
export interface ProcessInfo {
  readonly key: string;
  readonly processId: string;
  /** Public label of the session. */
  readonly session: string;
  /** Name with which the session's client introduced itself; null for people, or if unknown. */
  readonly clientName?: string | null;
  /** Name of the token that started the process. */
  readonly startedBy: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly label: string | null;
  /** Key of the process that was restarted as this one; null if this one is not a restart. */
  readonly restartOf: string | null;
  /** True while the start parameters of the process are available. */
  readonly restartable: boolean;
  readonly argv: readonly string[];
  /** Path, not a URI. */
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly pid: number;
  /** Null without a tty. */
  readonly size: Size | null;
  readonly sandbox: string;
  readonly state: ProcessState;
  readonly exitCode: number | null;
  /** Signal that ended the process, such as `SIGTERM`; null if none did. */
  readonly signal: string | null;
  readonly sandboxDenied: boolean;
  readonly startedAtMs: number;
  readonly exitedAtMs: number | null;
  readonly terminatingSinceMs: number | null;
  /** Time at which SIGKILL follows the SIGTERM of a termination; null when no termination is in progress. */
  readonly killAtMs: number | null;
  readonly survivors: readonly OsProcessName[];
  /** Running processes that had left the OS session when it was terminated; empty during a termination. */
  readonly escaped: readonly OsProcessName[];
  /** Time when the last termination had ended everything in the OS session; null until then. */
  readonly allEndedAtMs: number | null;
  /** True when other processes hold the output of the exited process open; false during a termination. */
  readonly outputHeld: boolean;
  readonly lastOutputAtMs: number | null;
  /** Last writer: label of the session and name of the token. */
  readonly lastInput: { readonly session: string; readonly who: string; readonly atMs: number } | null;
  readonly outputBytes: number;
  readonly nextSeq: number;
  readonly firstRetainedSeq: number;
  readonly title: string | null;
  readonly lastLine: string | null;
  /** Time when the terminal bell last rang; null if it has not. */
  readonly bellAtMs: number | null;
  /** Last notification sent by the process (OSC 9 and 777), without control characters. */
  readonly notification: { readonly text: string; readonly atMs: number } | null;
  /** Progress reported by the running process (OSC 9;4). */
  readonly progress: Progress | null;
  /**
   * True when the foreground job has been blocked reading input for some seconds, except for a shell at its prompt and
   * full-screen programs; false if unknown.
   */
  readonly waitsForInput: boolean;
  /** True for a lost process that is still running and can be terminated; otherwise absent. */
  readonly stillRunning?: true;
  /** True for a console process that was started with recording turned off; otherwise absent. */
  readonly notRecorded?: true;
  /** Name of the person who pinned the process, which then survives the end of its session; null if unpinned. */
  readonly pinnedBy: string | null;
  /** Number of connections that follow the process by key. */
  readonly watchers: number;
  /** Labels of the first 20 of these connections. */
  readonly watchedBy: readonly string[];
  /** Label of the controlling connection; null if there is none. */
  readonly controller: string | null;
  /** The newest 20 acts, oldest first. */
  readonly acts: readonly PlacedAct[];
  /** Act that ended the process; null while it runs, and when it ended by itself. */
  readonly endedBy: EndedBy | null;
}

/** Members that can change when a process has only printed or received input. */
export type PrintedInfo = Pick<
  ProcessInfo,
  | 'key'
  | 'lastOutputAtMs'
  | 'lastInput'
  | 'outputBytes'
  | 'nextSeq'
  | 'firstRetainedSeq'
  | 'title'
  | 'lastLine'
  | 'progress'
>;

export interface Progress {
  readonly state: 'normal' | 'error' | 'indeterminate' | 'paused';
  /** 0 to 100; null if not reported. */
  readonly percent: number | null;
}

export interface SessionInfo {
  readonly label: string;
  readonly clientName: string;
  readonly startedBy: string;
  readonly attached: boolean;
  readonly connectedAtMs: number;
  readonly detachedAtMs: number | null;
  /** Time when the processes of a detached session are terminated, except pinned ones; null while it is attached. */
  readonly expiresAtMs: number | null;
  readonly processCount: number;
}

export interface WatchResult {
  readonly gateway: GatewayHealth;
  readonly people: readonly Person[];
  /** Activity since `sinceChange`; without `sinceChange`, only the number of the newest change. */
  readonly activity: ActivitySince;
  readonly sessions: readonly SessionInfo[];
  readonly processes: readonly ProcessInfo[];
  /**
   * Pending requests, oldest first, and the settings; absent for guests and where approvals are unavailable.
   */
  readonly approvals?: readonly Approval[];
  readonly approvalSettings?: ApprovalSettings;
}

/** Changes since the last notification; whole objects, except in `printed`. */
export interface ConsoleChanged {
  readonly gateway?: GatewayHealth;
  /** All people present, not only changes. */
  readonly people?: readonly Person[];
  readonly activity?: ActivitySince;
  readonly sessions?: readonly SessionInfo[];
  readonly processes?: readonly ProcessInfo[];
  /** Changed approvals, including those that have just ended. */
  readonly approvals?: readonly Approval[];
  readonly approvalSettings?: ApprovalSettings;
  /** Processes that only printed or received input; for watchers with `isBrief`. */
  readonly printed?: readonly PrintedInfo[];
  readonly removed?: { readonly keys: readonly string[]; readonly sessions: readonly string[] };
  readonly recordingsRemoved?: RecordingsRemoved;
}

export interface RecordingsRemoved {
  /** `who`: name of the person who removed it; `gateway` for the limits on recordings. */
  readonly recordings: readonly { readonly key: string; readonly who: string }[];
  /** False when more recordings were removed than are listed. */
  readonly isComplete: boolean;
}
