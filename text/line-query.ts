// A search query for lines, and its regular expression.

export interface LineQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/**
 * Returns the query's expression. Throws SyntaxError with a readable reason if the text is not a valid
 * regular expression.
 */
export function expressionOf({ text, isRegex, isCaseSensitive }: LineQuery): RegExp {
  const source = isRegex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  try {
    return new RegExp(source, isCaseSensitive ? 'u' : 'iu');
  } catch (cause) {
    // The JavaScript engine puts the expression and its flags before the reason.
    const why = (cause as Error).message.replace(/^.*\/[a-z]+: /s, '').toLowerCase();
    throw new SyntaxError(`${JSON.stringify(text)} is not a valid regular expression: ${why}`, { cause });
  }
}
