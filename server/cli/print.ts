// What a command answers on stdout, whole, before it ends.

/** Resolves when it has been written, or nobody reads it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
}

/** For scripts: one line. */
export const printJson = (value: unknown): Promise<void> => print(JSON.stringify(value));
