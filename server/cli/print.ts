// Prints a command's complete output on stdout before the command ends.
import { visibleJson } from '../../text/visible.ts';

/** Resolves with true when the text has been written, and with false when stdout is closed. */
export const print = (text: string): Promise<boolean> => printTo(process.stdout, `${text}\n`);

/** Variant of `print` for any stream and output, which adds no newline. */
export function printTo(stream: NodeJS.WriteStream, output: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => stream.write(output, (error) => resolve(!error)));
}

export const printJson = (value: unknown): Promise<boolean> => print(visibleJson(JSON.stringify(value)));
