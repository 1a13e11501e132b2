// Handles the signals that end a command, for commands that must act before they end.
import { CommandFailed, SIGNAL_CODES, type EndingSignal } from './exit-codes.ts';
import { printNote } from './notes.ts';

/** Signal to this command → name of the signal sent to its process. */
export const PASSED_ON = {
  SIGINT: 'interrupt',
  SIGTERM: 'terminate',
  SIGHUP: 'hangup',
  SIGQUIT: 'quit',
} as const;

/**
 * Calls `listener` whenever a signal of SIGNAL_CODES arrives, instead of ending the command, until the returned
 * function is called.
 */
export function onEndingSignal(listener: (signal: EndingSignal) => void): () => void {
  const undo = (Object.keys(SIGNAL_CODES) as EndingSignal[]).map((signal) => {
    const handler = (): void => listener(signal);
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => undo.forEach((each) => each());
}

export interface SignalledStart<T, R> {
  readonly start: () => Promise<T>;
  /**
   * Continues after the start, and handles signals itself; `early`: signal that arrived before the start completed,
   * or null.
   */
  readonly goOn: (started: T, early: EndingSignal | null) => Promise<R>;
  /** Display name of the process, for the message when waiting for its start is interrupted. */
  readonly shown: string;
}

/**
 * Starts a process; resolves with the result of `goOn`, which receives the first signal that arrives during the start.
 * Rejects with CommandFailed when a second signal arrives during the start.
 */
export async function signalledStart<T, R>({ start, goOn, shown }: SignalledStart<T, R>): Promise<R> {
  let early: EndingSignal | null = null;
  let giveUp: (error: CommandFailed) => void = () => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  const off = onEndingSignal((signal) => {
    if (early !== null) {
      const why = `the gateway has not answered yet: ${shown} may have been started; check with: exec-console ps`;
      giveUp(new CommandFailed(SIGNAL_CODES[signal], why));
      return;
    }
    early = signal;
    // A hangup usually means that the terminal has closed, so nobody could read the message.
    if (signal !== 'SIGHUP')
      printNote(`${signal} will be sent to the process as soon as it has started; repeat it to stop waiting`);
  });
  let over: Promise<R>;
  try {
    const started = await Promise.race([start(), givenUp]);
    over = goOn(started, early);
  } finally {
    off();
  }
  return over;
}
