// Everything that is ours on the wire, and nothing else: additive to the reference, announced in `initialize`.
import { z } from 'zod';
import type { ActivitySince, Person } from './activity.ts';
import type { Approval, ApprovalSettings } from './approvals.ts';
import type { GatewayHealth } from './health.ts';
import { WINDOW_BYTES } from './console-constants.ts';
import type { OutputChunk, ReadResult, WriteResult } from './process.ts';
import { shapes, agentShape, startShape } from './process.ts';
import { count, name, size, type Size } from './scalars.ts';
import { SIGNAL_NAMES, type SignalName } from './signals.ts';

/** Default time between SIGTERM and SIGKILL in `process/terminate` by key. */
export const TERMINATE_GRACE_MS = 5000;

/** Most processes whose usage one connection may request. */
const USAGE_KEYS = 1000;

/** Most processes that one connection may have in view. */
const LOOK_KEYS = 1000;

/** Most processes of which one connection may request tiles. */
const TILE_KEYS = 200;

const key = z.string();
const processId = z.string();
const windowBytes = z.number().int().min(WINDOW_BYTES.min).max(WINDOW_BYTES.max).optional();

export const byKey = {
  read: z.object({
    key,
    ...shapes.read,
    /** True to get output that only its recording has, too; else it is counted as missed. */
    recorded: z.boolean().optional(),
  }),
  write: z.object({ key, ...shapes.write }),
  signal: z.object({ key, signal: z.enum(SIGNAL_NAMES) }),
  terminate: z.object({
    key,
    graceMs: count.max(600_000).optional(),
    /** True to end the processes in `ProcessInfo.escaped` as well. */
    escaped: z.boolean().optional(),
  }),
};

export const startParams = z.object({
  ...startShape,
  session: z.literal('console').optional(),
  // The reference ignores a `size`; so ours is read leniently, and only a well-formed one counts.
  size: z
    .unknown()
    .transform((value) => size.safeParse(value).data)
    .optional(),
  label: z.string().max(256).optional(),
  /** False: the output of this console process is not recorded; agents cannot ask for that. */
  recorded: z.boolean().optional(),
  ...agentShape,
  /**
   * Model of a console process, which inherits the environment (with `env` laid over it) and the sandbox that the
   * process with this key was started with, unless `ownEnv` or `ownSandbox` requests its own.
   */
  like: z.object({ key, ownEnv: z.boolean().optional(), ownSandbox: z.boolean().optional() }).optional(),
  windowBytes,
});

export const restartParams = z.object({
  key,
  newProcessId: name,
  size: size.optional(),
  windowBytes,
  /** True to restart it without the sandbox that it asked for; the operator's floor still applies. */
  withoutSandbox: z.boolean().optional(),
});
export const attachParams = z.object({ key, afterSeq: count.nullish(), windowBytes });
export const detachParams = z.object({ key });
export const ackParams = z.object({ key, seq: count });
export const controlParams = z.object({
  key,
  take: z.boolean(),
  /** Label of the connection that becomes controller instead of the caller's; only with `take`. */
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
  /** One of `keys`, whose usage lists its operating-system processes too. */
  tree: key.optional(),
});
export const tilesParams = z.object({ keys: z.array(key).max(TILE_KEYS) });
export const lookParams = z.object({
  keys: z.array(key).max(LOOK_KEYS),
  /** True when no person sees the page, as in a hidden tab. */
  isHidden: z.boolean().optional(),
});
export const searchParams = z.object({
  query: z.string().min(1, 'must not be empty').max(1000),
  regex: z.boolean().optional(),
  caseSensitive: z.boolean().optional(),
  /** Keys of the only processes to search. */
  keys: z.array(key).max(10_000).optional(),
});
export const watchParams = z
  .object({
    sinceChange: count.optional(),
    /** True to get only `printed` for processes that merely printed. */
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
  /** One above the last event at this moment: lower seqs are replay, later ones live. */
  readonly nextSeq: number;
  readonly firstRetainedSeq: number;
  /** Decoded bytes of all output below `nextSeq`: with it a reader that counts knows exactly what it missed. */
  readonly offset: number;
  /** The terminal's size for event `nextSeq`; null without one. */
  readonly size: Size | null;
}

/** The terminal had this size after event `afterSeq`. */
export interface SizeMark extends Size {
  readonly afterSeq: number;
}

export interface TimedOutputChunk extends OutputChunk {
  /** Time when the gateway read the first byte of the chunk. */
  readonly atMs: number;
}

export interface ReadByKeyResult extends ReadResult {
  readonly chunks: readonly TimedOutputChunk[];
  /** Decoded bytes from `afterSeq` to the first chunk given that are no longer retained. */
  readonly missedBytes: number;
  readonly exitedSeq: number | null;
  readonly closedSeq: number | null;
  /** The first is the size at the first chunk given; empty without a tty. */
  readonly sizes: readonly SizeMark[];
}

export interface WaitResult {
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
}

export interface SnapshotResult extends Size {
  /** Everything up to this event is in it, nothing after it. */
  readonly seq: number;
  /** base64; written to a fresh terminal of this size it gives screen, lines above it, and modes. */
  readonly data: string;
  /** False when output was missed that may still be seen. */
  readonly exact: boolean;
}

export type CloseStdinResult = WriteResult;

/**
 * `waiting-for-approval`: it is not started yet, and its key is the id of the request (console/approvals). `lost`: it ran, and
 * its gateway knows it no more, or is gone.
 */
export type ProcessState = 'waiting-for-approval' | 'starting' | 'running' | 'exited' | 'closed' | 'lost';

/** An act of a person or the gateway on a process. */
export interface Act {
  /** The token's name, or `gateway` for its own reasons. */
  readonly who: string;
  readonly how: SignalName | 'closeStdin' | 'restart' | 'sessionExpired' | 'gatewayStopped';
  readonly atMs: number;
}

/** An act, and where in the output it was done. */
export interface PlacedAct extends Act {
  /** The newest output then: what the gateway had read of it is up to this event, and no more; 0 when nothing. */
  readonly afterSeq: number;
}

/** An act that can be the end of a process. */
export interface EndedBy extends Act {
  readonly how: Exclude<Act['how'], 'closeStdin' | 'restart' | 'suspend' | 'resume'>;
}

/** A process of the operating system, to be recognised by a person. */
export interface OsProcessName {
  readonly pid: number;
  readonly name: string;
}

/** All that is public about one process. Times are ms since the epoch. */
export interface ProcessInfo {
  readonly key: string;
  readonly processId: string;
  /** The session's public label. */
  readonly session: string;
  /** The name of the token that started it. */
  readonly startedBy: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly label: string | null;
  /** The key of the process that this is a restart of. */
  readonly restartOf: string | null;
  /** True while the parameters of its start are still kept. */
  readonly restartable: boolean;
  readonly argv: readonly string[];
  /** A path, not a URI. */
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly pid: number;
  /** Null without a tty. */
  readonly size: Size | null;
  readonly sandbox: string;
  readonly state: ProcessState;
  readonly exitCode: number | null;
  /** The signal's name, as `SIGTERM`. */
  readonly signal: string | null;
  readonly sandboxDenied: boolean;
  readonly startedAtMs: number;
  readonly exitedAtMs: number | null;
  readonly terminatingSinceMs: number | null;
  /** Time when SIGKILL follows SIGTERM, during a terminate. */
  readonly killAtMs: number | null;
  readonly survivors: readonly OsProcessName[];
  /** Processes that left the OS session before a terminate ended it, and still run. */
  readonly escaped: readonly OsProcessName[];
  /** Time when a terminate found the last process of its OS session gone. */
  readonly allEndedAtMs: number | null;
  /**
   * True when something still holds its output open after its exit, outside a terminate: some of its children still
   * run.
   */
  readonly outputHeld: boolean;
  readonly lastOutputAtMs: number | null;
  /** The last writer: the session's label and the token's name. */
  readonly lastInput: { readonly session: string; readonly who: string; readonly atMs: number } | null;
  readonly outputBytes: number;
  readonly nextSeq: number;
  readonly firstRetainedSeq: number;
  readonly title: string | null;
  readonly lastLine: string | null;
  /** Time when its terminal's bell last rang. */
  readonly bellAtMs: number | null;
  /** The last notification it sent (OSC 9 and 777), without control characters. */
  readonly notification: { readonly text: string; readonly atMs: number } | null;
  /** Progress that it reports (OSC 9;4), while it runs. */
  readonly progress: Progress | null;
  /**
   * True when its foreground job, other than a shell at its prompt, sleeps until input comes; false where not known.
   */
  readonly waitsForInput: boolean;
  /** True for a lost process that is known to run, and can be terminated; absent for any other. */
  readonly stillRunning?: true;
  /** True for a process whose starter wanted its output not to be recorded; absent for any other. */
  readonly notRecorded?: true;
  /** Name of the person who keeps it when its session ends, so that it is not terminated then. */
  readonly pinnedBy: string | null;
  /** Number of connections that follow it by key. */
  readonly watchers: number;
  /** Labels of these connections, at most the first 20. */
  readonly watchedBy: readonly string[];
  /** A connection's label. */
  readonly controller: string | null;
  /** The newest 20, the newest last. */
  readonly acts: readonly PlacedAct[];
  /** The act that ended it; null when it ended by itself. */
  readonly endedBy: EndedBy | null;
}

/** Members that can change when a process has only printed, or was typed into. */
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
  /** 0 to 100; null when the process reports none. */
  readonly percent: number | null;
}

export interface SessionInfo {
  readonly label: string;
  readonly clientName: string;
  readonly startedBy: string;
  readonly attached: boolean;
  readonly connectedAtMs: number;
  readonly detachedAtMs: number | null;
  readonly processCount: number;
}

export interface WatchResult {
  readonly gateway: GatewayHealth;
  readonly people: readonly Person[];
  /** Activity since `sinceChange`; without that only the number of the newest change. */
  readonly activity: ActivitySince;
  readonly sessions: readonly SessionInfo[];
  readonly processes: readonly ProcessInfo[];
  /** Waiting requests, the oldest first, and the settings; absent for guests, and where approvals are not available. */
  readonly approvals?: readonly Approval[];
  readonly approvalSettings?: ApprovalSettings;
}

/** Changes since the last notification, as whole objects. */
export interface ConsoleChanged {
  readonly gateway?: GatewayHealth;
  /** All people, not only those who changed. */
  readonly people?: readonly Person[];
  readonly activity?: ActivitySince;
  readonly sessions?: readonly SessionInfo[];
  readonly processes?: readonly ProcessInfo[];
  /** Changed approvals; one that no longer waits is sent once. */
  readonly approvals?: readonly Approval[];
  readonly approvalSettings?: ApprovalSettings;
  /** Processes that only printed, or were typed into; for watchers with `isBrief`. */
  readonly printed?: readonly PrintedInfo[];
  readonly removed?: { readonly keys: readonly string[]; readonly sessions: readonly string[] };
}
