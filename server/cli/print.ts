// What a command answers on stdout, whole, before it ends.
import { visibleJson } from '../../text/visible.ts';

/** Resolves when it has been written, or nobody reads it; with whether it has been. */
export const print = (text: string): Promise<boolean> => printTo(process.stdout, `${text}\n`);

/** The same, of anything. */
export function printTo(stream: NodeJS.WriteStream, output: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => stream.write(output, (error) => resolve(!error)));
}

/** For scripts: one line. */
export const printJson = (value: unknown): Promise<boolean> => print(visibleJson(JSON.stringify(value)));
