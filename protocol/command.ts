// command/* of the first exec-servers: a process is a "session" there, named by the server, without seq and resume.
import { z } from 'zod';
import { base64 } from './scalars.ts';

const sessionId = z.string();

export const execParams = z.object({
  argv: z.array(z.string()).min(1, 'must not be empty'),
  /** A path, not a URI. */
  cwd: z.string().startsWith('/', 'must be an absolute path'),
  env: z.record(z.string(), z.string()),
  tty: z.boolean(),
  arg0: z.string().nullish(),
});
export const writeParams = z.object({ sessionId, chunk: base64 });
export const terminateParams = z.object({ sessionId });

/** name → params, result. */
export interface CommandRequests {
  'command/exec': { params: z.output<typeof execParams>; result: ExecResult };
  'command/exec/write': { params: z.output<typeof writeParams>; result: AcceptedResult };
  'command/exec/terminate': { params: z.output<typeof terminateParams>; result: RunningResult };
}

interface ExecResult {
  /** `proc-1`, `proc-2`, … of its connection. */
  readonly sessionId: string;
}

interface AcceptedResult {
  readonly accepted: true;
}

interface RunningResult {
  /** False when there was nothing to end, and nothing was done. */
  readonly running: boolean;
}

/** Server to client. */
export interface CommandNotifications {
  'command/exec/outputDelta': {
    readonly sessionId: string;
    /** What a terminal prints is stdout. */
    readonly stream: 'stdout' | 'stderr';
    /** base64 */
    readonly chunk: string;
  };
  /** After the last delta. */
  'command/exec/exited': { readonly sessionId: string; readonly exitCode: number };
}
