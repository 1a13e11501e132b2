// A query for lines, and the expression that finds them.

export interface LineQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/** Throws SyntaxError with the reason, in words, when the text is no regular expression. */
export function expressionOf({ text, isRegex, isCaseSensitive }: LineQuery): RegExp {
  const source = isRegex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  try {
    return new RegExp(source, isCaseSensitive ? 'u' : 'iu');
  } catch (cause) {
    // The engine puts its own spelling of the expression, with its flags, before the reason.
    const why = (cause as Error).message.replace(/^.*\/[a-z]+: /s, '').toLowerCase();
    throw new SyntaxError(`${JSON.stringify(text)} is not a regular expression: ${why}`, { cause });
  }
}
