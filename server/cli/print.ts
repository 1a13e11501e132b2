// Prints a command's complete output on stdout before the command ends.
import { visibleJson } from '../../text/visible.ts';

/** Resolves when the text has been written, or stdout is closed; true when it was written. */
export const print = (text: string): Promise<boolean> => printTo(process.stdout, `${text}\n`);

/** Variant of `print` for any stream and output. */
export function printTo(stream: NodeJS.WriteStream, output: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => stream.write(output, (error) => resolve(!error)));
}

/** Prints one line of JSON, for scripts. */
export const printJson = (value: unknown): Promise<boolean> => print(visibleJson(JSON.stringify(value)));
