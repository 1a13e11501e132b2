// Errors of the tools, in Codex's words.

/** Thrown for a failed call; the message is the whole answer. */
export class Failed extends Error {}

/** Returns the error text of a failed start in the form that programs recognize from Codex. */
export const notCreated = (why: string): string =>
  `CreateProcess { message: ${quoted(`Rejected(${quoted(why)})`)} }`;

export const unknownProcess = (id: number): string => `Unknown process id ${id}`;

export const STDIN_CLOSED =
  'stdin is closed for this session; rerun exec_command with tty=true to keep stdin open';
export const IN_USE = 'another call is using this session; nothing was written';
export const NOT_WRITTEN = 'failed to write to stdin';
export const NO_ESCALATION =
  'approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never';

const ESCAPES: { readonly [char: string]: string } = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
};

/** Returns the text as Rust's `{:?}` formats it. */
function quoted(text: string): string {
  const escaped = text.replaceAll(
    /["\\]|\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu,
    (char) => ESCAPES[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${escaped}"`;
}
