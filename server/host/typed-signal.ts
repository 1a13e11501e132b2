// Finds the signal that a terminal sends for a typed key.
import type { SignalName } from '../../protocol/signals.ts';

/** Ctrl+C and Ctrl+\, which end a program with a terminal's default settings. */
const KEYS: readonly (readonly [byte: number, signal: SignalName])[] = [
  [0x03, 'interrupt'],
  [0x1c, 'quit'],
];

/** Returns the signal that a terminal sends for these bytes; undefined when they contain neither key. */
export function typedSignal(bytes: Buffer): SignalName | undefined {
  return KEYS.find(([byte]) => bytes.includes(byte))?.[1];
}
