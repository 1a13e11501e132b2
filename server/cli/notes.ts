// Prints messages of a command to people on stderr, separate from the output.
import { visible } from '../../text/visible.ts';

/** Prints each line; a terminal in raw mode needs the carriage return, and other terminals ignore it. */
export function printNote(...lines: readonly string[]): void {
  const end = process.stderr.isTTY ? '\r\n' : '\n';
  process.stderr.write(`exec-console: ${lines.map(visible).join(end)}${end}`);
}
