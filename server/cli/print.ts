// What a command answers on stdout, whole, before it ends.

/** Resolves when it has been written, or nobody reads it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
}

/** Nothing that a terminal acts on, or that hides what stands around it: command lines are anybody's. */
const HIDDEN = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** For scripts: one line. */
export const printJson = (value: unknown): Promise<void> =>
  print(
    JSON.stringify(value).replaceAll(
      HIDDEN,
      (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    ),
  );
