// Exit codes of a command that does not return its process's code, and the failure that carries such a code.

export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  noGateway: 3,
  refused: 4,
  notFound: 5,
  connectionLost: 6,
  /** Shells' code for a program that exists and cannot be executed. */
  cannotExecute: 126,
  /** Shells' code for a name without a program. */
  commandNotFound: 127,
  /** 128 + SIGPIPE: the reader of our output has gone. */
  brokenPipe: 141,
} as const;

/** Exit codes of shells for a program that died of a signal. */
export const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof SIGNAL_CODES;

/** Ends the command: a sentence for stderr, and the code to exit with. */
export class CommandFailed extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
