// What a command answers on stdout, whole, before it ends.

/** Resolves when it has been written, or nobody reads it; with whether it has been. */
export const print = (text: string): Promise<boolean> => printTo(process.stdout, `${text}\n`);

/** The same, of anything. */
export function printTo(stream: NodeJS.WriteStream, output: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => stream.write(output, (error) => resolve(!error)));
}

/** Nothing that a terminal acts on, or that hides what stands around it: command lines are anybody's. */
const HIDDEN = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** For scripts: one line. */
export const printJson = (value: unknown): Promise<boolean> =>
  print(
    JSON.stringify(value).replaceAll(
      HIDDEN,
      (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    ),
  );
