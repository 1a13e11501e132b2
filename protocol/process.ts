// process/* of the reference, by `processId`: shapes and their checks; the three events and their seq.
import { z } from 'zod';
import { sandboxIntent } from './sandbox.ts';
import { base64, count, fileUri, isWithin, name } from './scalars.ts';

/** stdout and stderr of a process with pipes; pty of one with a terminal. */
export type Stream = 'stdout' | 'stderr' | 'pty';

const environmentPolicy = z.object({
  inherit: z.enum(['all', 'core', 'none']),
  ignoreDefaultExcludes: z.boolean(),
  exclude: z.array(z.string()),
  set: z.record(z.string(), z.string()),
  includeOnly: z.array(z.string()),
});
export type EnvironmentPolicy = z.infer<typeof environmentPolicy>;

/** The members of `process/start` that the reference knows. */
export const startShape = {
  processId: name,
  argv: z.array(z.string()).min(1, 'must not be empty'),
  cwd: fileUri,
  env: z.record(z.string(), z.string()),
  tty: z.boolean(),
  pipeStdin: z.boolean().optional(),
  arg0: z.string().nullish(),
  envPolicy: environmentPolicy.nullish(),
  sandbox: sandboxIntent.nullish(),
  enforceManagedNetwork: z.boolean().nullish(),
  /** Metadata from the client; string members are shown, the rest is ignored. */
  metadata: z.unknown().optional(),
};

/** Members for agents that do not speak the reference's protocol themselves; ours. */
export const agentShape = {
  /** True for one pipe that takes both stdout and stderr, as `2>&1`: all of it is stdout, in the order of printing. */
  joinStderr: z.boolean().optional(),
  /** True to kill it with the loss of its connection, unless it has exited: nobody comes back for it. */
  endsWithConnection: z.boolean().optional(),
  /**
   * Key of a process of the same session that its sandbox has blocked: this start is its second run, without the sandbox,
   * about which people are asked unless the policy is `never`.
   */
  retryOf: z.string().optional(),
};

const processId = z.string();
const readShape = { afterSeq: count.nullish(), maxBytes: count.nullish(), waitMs: count.nullish() };
const writeShape = {
  chunk: base64,
  writeId: z
    .string()
    .min(1, 'must not be empty')
    .refine((id) => isWithin(id, 256), 'is longer than 256 bytes'),
};

export const readParams = z.object({ processId, ...readShape });
export const writeParams = z.object({ processId, ...writeShape });
export const signalParams = z.object({
  processId,
  /** The reference knows only `interrupt`. */
  signal: z.enum(['interrupt', 'terminate', 'hangup', 'quit']),
});
export const terminateParams = z.object({
  processId,
  /** Ours: SIGTERM, and after so many ms SIGKILL, to all of its OS session. Without it SIGKILL at once. */
  graceMs: count.max(600_000).optional(),
  /** Ours: true to leave a process that a person has pinned. */
  unlessPinned: z.boolean().optional(),
});
/** Ours. */
export const pinParams = z.object({ key: z.string(), pinned: z.boolean() });
export const shapes = { read: readShape, write: writeShape };

export interface OutputChunk {
  readonly seq: number;
  readonly stream: Stream;
  /** base64 */
  readonly chunk: string;
}

export interface ReadResult {
  readonly chunks: readonly OutputChunk[];
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
  readonly failure: string | null;
  readonly sandboxDenied: boolean;
}

export interface WriteResult {
  readonly status: 'accepted' | 'unknownProcess' | 'stdinClosed' | 'starting';
}

export interface TerminateResult {
  /** False when there was nothing to end, and nothing was done. */
  readonly running: boolean;
}

/** `key` is present only for a reader that attached by key, and is then the only address: process ids collide. */
export interface OutputEvent extends OutputChunk {
  readonly processId: string;
  readonly key?: string;
}
export interface ExitedEvent {
  readonly processId: string;
  readonly key?: string;
  readonly seq: number;
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
}
export interface ClosedEvent {
  readonly processId: string;
  readonly key?: string;
  readonly seq: number;
}
