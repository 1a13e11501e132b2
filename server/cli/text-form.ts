// Removes the byte order mark and converts the CRLF line endings of a settings file for an edit, and restores both.

const MARK = '\uFEFF';

export interface TextForm {
  /** The text without a byte order mark, and with `\n` as its line ending unless its line endings are mixed. */
  readonly plain: string;
  /** Returns a plain text with the byte order mark and the line endings of the file. */
  readonly restored: (plain: string) => string;
}

export function formOf(text: string): TextForm {
  const mark = text.startsWith(MARK) ? MARK : '';
  const body = text.slice(mark.length);
  const isCrLf = body.includes('\r\n') && !/(?:^|[^\r])\n/.test(body);
  return {
    plain: isCrLf ? body.replaceAll('\r\n', '\n') : body,
    restored: (plain) => mark + (isCrLf ? plain.replaceAll('\n', '\r\n') : plain),
  };
}
