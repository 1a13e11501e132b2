// What a command says to a person, on stderr, beside the output.
import { visible } from '../../text/visible.ts';

/** Each on a line of its own; a terminal in raw mode needs the carriage return, and no other minds it. */
export function say(...lines: readonly string[]): void {
  const end = process.stderr.isTTY ? '\r\n' : '\n';
  process.stderr.write(`exec-console: ${lines.map(visible).join(end)}${end}`);
}
