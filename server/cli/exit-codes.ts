// How a command ends when it is not by the code of what it ran, and the failure that carries such a code.

export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  noGateway: 3,
  refused: 4,
  notFound: 5,
  connectionLost: 6,
  /** As shells say it: the program is there and cannot be executed … */
  cannotExecute: 126,
  /** … or there is none of that name. */
  commandNotFound: 127,
  /** 128 + SIGPIPE: whoever read our output has gone. */
  brokenPipe: 141,
} as const;

/** What a shell makes of a program that died of a signal. */
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
