// Legacy command/* methods of the first exec-servers, without seqs or resuming; a process is called a
// "session", with an id from the server.
import { z } from 'zod';
import { decoder, type Decoder } from './decoder.ts';
import { result, type ResultType } from './method-record.ts';
import type { RequestMethod } from './methods.ts';
import { base64, pathText } from './scalars.ts';

const sessionId = z.string();

const execParams = z.object({
  argv: z.array(z.string()).min(1, 'must not be empty'),
  /** Path, not a URI. */
  cwd: pathText.startsWith('/', 'must be an absolute path'),
  env: z.record(z.string(), z.string()),
  tty: z.boolean(),
  arg0: z.string().nullish(),
});
const writeParams = z.object({ sessionId, chunk: base64 });
const terminateParams = z.object({ sessionId });

interface ExecResult {
  /** `proc-1`, `proc-2`, …, counted per connection. */
  readonly sessionId: string;
}

interface AcceptedResult {
  readonly accepted: true;
}

interface RunningResult {
  /** False when the process was unknown, or the gateway found nothing of it to terminate. */
  readonly running: boolean;
}

interface CommandRecord<S extends z.ZodType, R> {
  readonly params: S;
  readonly result: ResultType<R>;
  /** The equivalent current method, which defines the roles and the audit entry. */
  readonly sameAs: RequestMethod;
  readonly sample: object;
}

const method = <S extends z.ZodType, R>(record: CommandRecord<S, R>): CommandRecord<S, R> => record;

export const COMMANDS = {
  'command/exec': method({
    params: execParams,
    result: result<ExecResult>(),
    sameAs: 'process/start',
    sample: { argv: ['true'], cwd: '/tmp', env: { PATH: '/usr/bin:/bin' }, tty: false },
  }),
  'command/exec/write': method({
    params: writeParams,
    result: result<AcceptedResult>(),
    sameAs: 'process/write',
    sample: { sessionId: 'proc-1', chunk: 'AAAA' },
  }),
  'command/exec/terminate': method({
    params: terminateParams,
    result: result<RunningResult>(),
    sameAs: 'process/terminate',
    sample: { sessionId: 'proc-1' },
  }),
};

type Commands = typeof COMMANDS;

/** Params and result by method. */
export type CommandRequests = {
  readonly [M in keyof Commands]: Commands[M] extends CommandRecord<infer S, infer R>
    ? { params: z.output<S>; result: R }
    : never;
};

export const commandDecoders = Object.fromEntries(
  Object.entries(COMMANDS).map(([name, { params }]) => [name, decoder(params)]),
) as { readonly [M in keyof Commands]: Decoder<CommandRequests[M]['params']> };

/** Notifications from server to client. */
export interface CommandNotifications {
  'command/exec/outputDelta': {
    readonly sessionId: string;
    /** Terminal output counts as stdout. */
    readonly stream: 'stdout' | 'stderr';
    /** Base64. */
    readonly chunk: string;
  };
  /** Exit of the command, sent after the last delta. */
  'command/exec/exited': { readonly sessionId: string; readonly exitCode: number };
}
