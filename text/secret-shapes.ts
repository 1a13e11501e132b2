// Patterns of recognizable secrets: the text before each, and its alphabet.

export interface SecretShape {
  readonly name: string;
  /** Start of the secret, simple enough to search a whole text for; source of a regular expression. */
  readonly anchor: string;
  /** Part that stays visible, from the anchor on. */
  readonly before: string;
  /** Condition on the text before the anchor. */
  readonly start: string;
  /** The complete secret. */
  readonly secret: string;
  /** Incomplete secret at the end: at most `most` characters that match the pattern `of`, unless the rest matches `not`. */
  readonly begun: { readonly of: string; readonly most: number; readonly not?: string };
}

/** Maximum number of letters of a secret that are recognized; in a JSON web token, of each part. */
export const MOST_RECOGNIZED = 16_000;
/** Length up to which text is taken for a secret that only the character after it confirms. */
const LONGEST_LINE = 4096;

/**
 * Text that may directly precede a secret although it ends with a letter or digit: a control sequence
 * written as an escape, `\n`, `\r` or `\t`, or a percent escape.
 */
const AFTER_OTHERS =
  '(?<=' +
  [String.raw`\\(?:033|e|x1[bB]|u001[bB])\[[0-?]{0,256}[@-~]`, String.raw`\\[nrt]`, '%[0-9A-Fa-f]{2}'].join(
    '|',
  ) +
  ')';
/** Any position at which a word may begin. */
const START = `(?:(?<![A-Za-z0-9])|${AFTER_OTHERS})`;
/** Variant of `START` that also excludes positions after a hyphen or an underscore. */
const STRICT_START = `(?:(?<![A-Za-z0-9_-])|${AFTER_OTHERS})`;

const WORD = '[A-Za-z0-9]';
const URL_SAFE = '[A-Za-z0-9_-]';
/** Any character except spaces, controls, quotes and backslashes; `\S` would depend on the encoding. */
const SOLID = String.raw`[^\u0000-\u0020\u007f"'\x60\\]`;
/** Any character of quoted text on one line: as `SOLID`, but also a space. */
const IN_QUOTES = String.raw`[^\u0000-\u001f\u007f"'\x60\\]`;
const IN_PASSWORD = String.raw`[^\u0000-\u0020\u007f"'\x60<>/@]`;
const IN_USER = String.raw`[^\u0000-\u0020\u007f"'\x60<>/@:]`;

const anyCase = (text: string): string =>
  text.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const ASSIGNED = `(?:${anyCase('password')}|${anyCase('passwd')}|_(?:${anyCase('secret')}|${anyCase('token')}))=`;
/** A value that starts with one of these is a variable or a placeholder, not a secret. */
const NOT_NAMED = '(?![$<{(*])';
/** Separator between a name and its value, in a header, an assignment, or JSON. */
const IS = String.raw`["']?[ \t]*[:=][ \t]*["']?`;

/**
 * Returns the shape of a secret with one alphabet. Only the first `max` letters of a longer text count as the
 * secret.
 */
function made(
  name: string,
  [anchor, more = '']: readonly [anchor: string, more?: string],
  of: string,
  [min, max]: readonly [number, number],
): SecretShape {
  return {
    name,
    anchor,
    before: anchor + more,
    start: START,
    secret: `${of}{${min},${max}}`,
    begun: { of, most: max },
  };
}

export const SECRET_SHAPES: readonly SecretShape[] = [
  made('GitHub token', ['gh[pousr]_'], WORD, [36, MOST_RECOGNIZED]),
  made('GitHub fine-grained token', ['github_pat_'], '[A-Za-z0-9_]', [22, MOST_RECOGNIZED]),
  made('GitLab token', ['gl(?:pat|dt|rt|cbt|ptt|soat)-'], '[A-Za-z0-9_.-]', [20, MOST_RECOGNIZED]),
  made('OpenAI API key', ['sk-'], WORD, [20, MOST_RECOGNIZED]),
  made('OpenAI, Anthropic or OpenRouter API key', ['sk-', '(?:proj|svcacct|admin|ant|or)-'], URL_SAFE, [
    20,
    MOST_RECOGNIZED,
  ]),
  made('AWS access key ID', ['A(?:KI|SI)A'], '[A-Z0-9]', [16, 16]),
  made(
    'AWS secret key',
    [anyCase('secret'), `[_ -]?${anyCase('access')}[_ -]?${anyCase('key')}${IS}`],
    '[A-Za-z0-9/+=]',
    [40, 40],
  ),
  made('Google API key', ['AIza'], URL_SAFE, [35, 35]),
  made('Slack token', ['xox[abeoprs]-'], URL_SAFE, [10, MOST_RECOGNIZED]),
  made('Slack app token', ['xapp-'], URL_SAFE, [10, MOST_RECOGNIZED]),
  made('Stripe key', ['[rs]k_', '(?:live|test)_'], WORD, [16, MOST_RECOGNIZED]),
  made('npm token', ['npm_'], WORD, [36, MOST_RECOGNIZED]),
  made('PyPI token', ['pypi-'], URL_SAFE, [32, MOST_RECOGNIZED]),
  made('Hugging Face token', ['hf_'], WORD, [30, MOST_RECOGNIZED]),
  made(
    'authorization',
    [
      anyCase('authorization'),
      `${IS}(?:${anyCase('bearer')}|${anyCase('basic')}|${anyCase('token')})[ \\t]{1,8}`,
    ],
    SOLID,
    [8, MOST_RECOGNIZED],
  ),
  {
    // The text may contain spaces, so it counts as a whole, up to the closing quote.
    ...made('assigned password, secret or token in quotes', [ASSIGNED, String.raw`\\{0,3}["']`], '', [0, 0]),
    start: '',
    secret: String.raw`${NOT_NAMED}${IN_QUOTES}{4,${LONGEST_LINE}}(?=\\{0,3}["'])`,
    // A backslash at the end may precede the closing quote.
    begun: { of: String.raw`[^\u0000-\u001f\u007f"'\x60]`, most: LONGEST_LINE + 3, not: '[$<{(*]' },
  },
  {
    ...made('assigned password, secret or token', [ASSIGNED, `["']?`], '', [0, 0]),
    start: '',
    secret: `${NOT_NAMED}${SOLID}{4,${MOST_RECOGNIZED}}`,
    begun: { of: SOLID, most: MOST_RECOGNIZED, not: '[$<{(*]' },
  },
  {
    ...made('token in a URL', ['token='], '[A-Za-z0-9_.~%-]', [16, MOST_RECOGNIZED]),
    start: '(?<=[?&#](?:access_|auth_|id_)?)',
  },
  {
    ...made('code or secret of a link', ['(?:code|share)='], URL_SAFE, [16, MOST_RECOGNIZED]),
    start: '(?<=[?&#]|%(?:3[Ff]|2[36]))',
  },
  made('page token', ['exec-console\\.token\\.'], URL_SAFE, [16, MOST_RECOGNIZED]),
  {
    ...made('JSON web token', ['eyJ'], '', [0, 0]),
    start: STRICT_START,
    secret: `${URL_SAFE}{8,${MOST_RECOGNIZED}}\\.${URL_SAFE}{0,${MOST_RECOGNIZED}}\\.[A-Za-z0-9_.-]{8,${MOST_RECOGNIZED}}`,
    begun: { of: '[A-Za-z0-9_.-]', most: MOST_RECOGNIZED },
  },
  {
    ...made(
      'private key',
      [
        '-----BEGIN ',
        String.raw`[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s{1,4}[A-Za-z-]{1,40}: [^\r\n]{0,200}){0,20}`,
      ],
      String.raw`[A-Za-z0-9+/=\s\\]`,
      [16, MOST_RECOGNIZED],
    ),
    start: '',
  },
  {
    ...made('password in a URL', [String.raw`:\/\/`, `${IN_USER}{0,1000}:`], IN_PASSWORD, [1, LONGEST_LINE]),
    start: '',
    secret: `${IN_PASSWORD}{1,${LONGEST_LINE}}(?=@)`,
    // A few digits are probably a port, as in most printed addresses.
    begun: { of: IN_PASSWORD, most: LONGEST_LINE, not: String.raw`\d{0,5}$` },
  },
];
