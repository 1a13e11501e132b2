// What a command says to a person, on stderr, beside the output.

/** One line; a terminal in raw mode needs the carriage return, and no other minds it. */
export function say(message: string): void {
  const end = process.stderr.isTTY ? '\r\n' : '\n';
  process.stderr.write(`exec-console: ${message.replaceAll('\n', end)}${end}`);
}

/** Text that somebody else chose, for a terminal: nothing in it controls anything. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is made visible
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => {
    const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };
    return named[char] ?? `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}

/** A command line as one could type it. */
export function commandLine(argv: readonly string[]): string {
  return argv
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${printable(arg).replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
