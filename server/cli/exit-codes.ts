// Exit codes of commands themselves, as opposed to those of their processes, and the error that carries such a code.

export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  noGateway: 3,
  refused: 4,
  notFound: 5,
  connectionLost: 6,
  /** Shell exit code for a program that exists but cannot be executed. */
  cannotExecute: 126,
  /** Shell exit code for a program that does not exist. */
  commandNotFound: 127,
  /** 128 + SIGPIPE: the reader of stdout has closed the pipe. */
  brokenPipe: 141,
} as const;

/** Shell exit codes for a program that was killed by a signal. */
export const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof SIGNAL_CODES;

/** Ends the command with a message on stderr and an exit code. */
export class CommandFailed extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
