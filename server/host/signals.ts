// Signal names on the wire, and signals of typed keys.
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

/** Ctrl-C and Ctrl-\: the keys that end a program in a terminal's usual settings. */
const KEYS: readonly (readonly [byte: number, signal: SignalName])[] = [
  [0x03, 'interrupt'],
  [0x1c, 'quit'],
];

/** Returns the signal that a terminal makes of typed bytes; undefined for text. */
export function typedSignal(bytes: Buffer): SignalName | undefined {
  return KEYS.find(([byte]) => bytes.includes(byte))?.[1];
}
