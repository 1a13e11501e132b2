// Signals that a person can send to a process.

interface SignalRecord {
  /** Operating system's name of the signal. */
  readonly osName: `SIG${string}`;
  /** True when the signal can end a program; false when it suspends or resumes one. */
  readonly mayEnd: boolean;
  /** Completes "It was …". */
  readonly past: string;
}

/** Signals by their name on the wire. */
export const SIGNALS = {
  interrupt: { osName: 'SIGINT', mayEnd: true, past: 'interrupted' },
  terminate: { osName: 'SIGTERM', mayEnd: true, past: 'terminated' },
  kill: { osName: 'SIGKILL', mayEnd: true, past: 'killed' },
  hangup: { osName: 'SIGHUP', mayEnd: true, past: 'hung up' },
  quit: { osName: 'SIGQUIT', mayEnd: true, past: 'asked to quit' },
  suspend: { osName: 'SIGTSTP', mayEnd: false, past: 'suspended' },
  resume: { osName: 'SIGCONT', mayEnd: false, past: 'resumed' },
} as const satisfies Readonly<Record<string, SignalRecord>>;

export type SignalName = keyof typeof SIGNALS;

export const SIGNAL_NAMES = Object.keys(SIGNALS) as SignalName[];

export const isSignalName = (name: string): name is SignalName => Object.hasOwn(SIGNALS, name);
