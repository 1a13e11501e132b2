// Schemas of the process/* methods of the reference and of exec-console's additions, and types of their results and
// events.
import { z } from 'zod';
import { sandboxIntent } from './sandbox.ts';
import { base64, count, fileUri, isWithin, name } from './scalars.ts';

/** stdout or stderr for a process with pipes; pty for one with a terminal. */
export type Stream = 'stdout' | 'stderr' | 'pty';

const environmentPolicy = z.object({
  inherit: z.enum(['all', 'core', 'none']),
  ignoreDefaultExcludes: z.boolean(),
  exclude: z.array(z.string()),
  set: z.record(z.string(), z.string()),
  includeOnly: z.array(z.string()),
});
export type EnvironmentPolicy = z.infer<typeof environmentPolicy>;

/** Members of `process/start` that the reference defines. */
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
  /** Metadata from the client; string members are shown, others are ignored. */
  metadata: z.unknown().optional(),
};

/** Members that exec-console adds, for agents that do not speak the reference's protocol themselves. */
export const agentShape = {
  /** True to merge stderr into stdout, like `2>&1`, in the order in which the output was printed. */
  joinStderr: z.boolean().optional(),
  /** True to kill the process when the client's connection is lost, because the client will not resume. */
  endsWithConnection: z.boolean().optional(),
  /**
   * Key of a process of the same session that was blocked by its sandbox. This start is the retry without a
   * sandbox, which needs approval unless the policy is `never` or rules allow the command.
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
  /** The reference only has `interrupt`. */
  signal: z.enum(['interrupt', 'terminate', 'hangup', 'quit']),
});
export const terminateParams = z.object({
  processId,
  /**
   * Extension of the reference: sends SIGTERM to the OS session, and SIGKILL after this many ms. Default: SIGKILL
   * immediately.
   */
  graceMs: count.max(600_000).optional(),
  /** Extension of the reference: true to leave a pinned process running. */
  unlessPinned: z.boolean().optional(),
});
/** Params of `process/pin`, an extension of the reference. */
export const pinParams = z.object({ key: z.string(), pinned: z.boolean() });
export const shapes = { read: readShape, write: writeShape };

export interface OutputChunk {
  readonly seq: number;
  readonly stream: Stream;
  /** Base64. */
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
  /** False when the process was unknown, or the gateway found nothing of it to terminate. */
  readonly running: boolean;
}

/**
 * `key` is sent only to readers attached by key, and identifies the process for them, since process ids are unique
 * only within a session.
 */
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
