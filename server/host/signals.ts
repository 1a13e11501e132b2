// Which signal of the system is meant: by its name on the wire, and by a key that is typed.
import type { SignalName } from '../../protocol/console.ts';

export const SIGNAL_OF: Record<SignalName, NodeJS.Signals> = {
  interrupt: 'SIGINT',
  terminate: 'SIGTERM',
  kill: 'SIGKILL',
  hangup: 'SIGHUP',
  quit: 'SIGQUIT',
  suspend: 'SIGTSTP',
  resume: 'SIGCONT',
};

/** Ctrl-C and Ctrl-\: what ends a program, as terminals usually are set. */
const KEYS: readonly (readonly [byte: number, signal: SignalName])[] = [
  [0x03, 'interrupt'],
  [0x1c, 'quit'],
];

/** What a terminal makes of what is typed into it; undefined for text. */
export function typedSignal(bytes: Buffer): SignalName | undefined {
  return KEYS.find(([byte]) => bytes.includes(byte))?.[1];
}
