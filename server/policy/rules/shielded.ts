// Replaces quoted special characters of a script with private-use ones, which are no syntax and can be converted back.

/** Placeholder for any text, such as for `*` in the path of a program. */
export const WILD = '\uE001';
/** Distance between the code of a character and that of its shielded form. */
const SHIELD = 0xe100;
const SHIELDED = /[\uE100-\uE17F]/g;
/** Separator before quoted text, so that the text does not extend the name of a variable. */
const BORDER = '\uE0FF';

const shield = (text: string): string =>
  text.replaceAll(/[^\w\u0080-\uFFFF]/g, (each) => String.fromCharCode(SHIELD + each.charCodeAt(0)));

/** Returns a word of a shielded script with its quoted characters converted back. */
export const unshielded = (word: string): string =>
  word
    .replaceAll(BORDER, '')
    .replaceAll(SHIELDED, (each) => String.fromCharCode(each.charCodeAt(0) - SHIELD));

/**
 * Returns a word with `WILD` where a shell would insert names of files; a class of one character, such as `[g]`,
 * becomes that character. A single character, and a word that begins with `*` and has no slash, stay as they are.
 */
export const withWildcards = (word: string): string =>
  word.length === 1 || /^\*[^/]*$/.test(word)
    ? word
    : word
        .replaceAll(/\[([^[\]!^])\]/g, '$1')
        .replaceAll(/[^/]+/g, withoutClasses)
        .replaceAll(/[*?]+/g, WILD);

/** Returns a part of a path with `WILD` from the first to the last class, which may have `]` and other classes inside. */
function withoutClasses(part: string): string {
  const [first, last] = [part.indexOf('['), part.lastIndexOf(']')];
  return first >= 0 && last > first ? part.slice(0, first) + WILD + part.slice(last + 1) : part;
}

/** Returns true when the word equals the name, or may equal it because it contains `WILD`. */
export function mayBe(word: string, name: string): boolean {
  const at = word.indexOf(WILD);
  if (at === -1) return word === name;
  return name.startsWith(word.slice(0, at)) && name.endsWith(word.slice(word.lastIndexOf(WILD) + 1));
}

const ESCAPE =
  /\\(?:[xX]\{?([\dA-Fa-f]{1,2})\}?|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|(0?[0-7]{1,3})|c.|([^]))/g;
const LETTERS: { readonly [letter: string]: string } = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  // The escape of `env -S` for a blank.
  _: ' ',
};

/** Returns a text with the escapes of `$'…'`, `printf`, `env -S` and fish replaced. */
export const withoutEscapes = (text: string): string =>
  text.replaceAll(
    ESCAPE,
    (_, hex?: string, unit?: string, long?: string, octal?: string, letter?: string) => {
      if (letter !== undefined) return LETTERS[letter] ?? letter;
      const digits = hex ?? unit ?? long;
      const code = digits === undefined ? Number.parseInt(octal ?? '40', 8) : Number.parseInt(digits, 16);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
    },
  );

/** Characters that begin and end no quotes, expansions or comments: shielded inside quotes, unchanged outside. */
const PLAIN = /[^\\'"`$(){}#<\n]+/y;
const ANSI_QUOTED = /\$'((?:[^'\\]|\\[^])*)'/y;
const SINGLE_QUOTED = /'([^']*)'/y;
const HERE_DOCUMENT = /<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([^\s;&|()<>'"`\\]+))/y;
/** Maximum number of here-documents that are read, since the rest of the script is searched for the end of each. */
const MOST_DOCUMENTS = 100;
const COMMENT = /#[^\n]*/y;
const BEFORE_COMMENT = /^$|[\s;&|(]/;

/**
 * Returns a script without quotes and comments, whose quoted special characters are shielded, so that they separate
 * nothing. A here-document is written as `<<<` with its text as one word.
 */
export function shielded(script: string): string {
  const out: string[] = [];
  let at = 0;
  /** Position after the here-documents of this line; -1 when there are none. */
  let resumeAt = -1;
  let documents = 0;
  /** Quotes and expansions around the position, the innermost last. */
  const around: { readonly end: string; readonly isQuoted: boolean }[] = [];
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(script);
    if (match) at += match[0].length;
    return match;
  };
  const takeDocument = (): boolean => {
    const start = at;
    const match = script.startsWith('<<<', at) || documents >= MOST_DOCUMENTS ? null : take(HERE_DOCUMENT);
    const lineEnd = script.indexOf('\n', at);
    const from = resumeAt === -1 ? lineEnd + 1 : resumeAt;
    const end =
      match && lineEnd !== -1 ? endOfDocument(script, from, match[1] ?? match[2] ?? match[3] ?? '') : null;
    if (match) documents += 1;
    if (end === null) {
      at = start;
      return false;
    }
    out.push(`<<<${shield(script.slice(from, end.text))} `);
    resumeAt = end.line;
    return true;
  };
  while (at < script.length) {
    const { end, isQuoted } = around.at(-1) ?? { end: '', isQuoted: false };
    const plain = take(PLAIN)?.[0];
    if (plain !== undefined) {
      out.push(isQuoted ? shield(plain) : plain);
      continue;
    }
    const character = script.charAt(at);
    if (character === '\\') {
      const next = script.charAt(at + 1);
      at += 2;
      if (next !== '\n') out.push(BORDER, shield(isQuoted && !/["$`\\]/.test(next) ? `\\${next}` : next));
      continue;
    }
    const last = out.at(-1) ?? '';
    if (!isQuoted) {
      const ansi = take(ANSI_QUOTED);
      const quoted = ansi ?? take(SINGLE_QUOTED);
      if (quoted) {
        const [, text = ''] = quoted;
        out.push(BORDER, shield(ansi ? withoutEscapes(text).replace(/\0[^]*/, '') : text));
        continue;
      }
      if (BEFORE_COMMENT.test(script.charAt(at - 1)) && BEFORE_COMMENT.test(last.slice(-1)) && take(COMMENT))
        continue;
      if (character === '<' && takeDocument()) continue;
      if (character === '\n' && resumeAt !== -1) {
        out.push('\n');
        at = resumeAt;
        resumeAt = -1;
        continue;
      }
    }
    at += 1;
    if (character === '$' && last === '$') {
      out.pop();
      continue;
    }
    if (character === '$' && script.charAt(at) === '"') {
      if (isQuoted) out.push(shield('$'));
      continue;
    }
    if (character === '"') {
      out.push(BORDER);
      if (end === '"') around.pop();
      else if (script.includes('"', at)) around.push({ end: '"', isQuoted: true });
      continue;
    }
    if (character === "'" && !isQuoted) continue;
    const opens = /[({]/.test(character) && (last === '$' || (character === '(' && !isQuoted));
    if (character === end) around.pop();
    else if (character === '`') around.push({ end: '`', isQuoted: false });
    else if (opens) around.push(character === '(' ? { end: ')', isQuoted: false } : { end: '}', isQuoted });
    const isActive = !isQuoted || opens || character === end || /[$`]/.test(character);
    out.push(isActive ? character : shield(character));
  }
  return out.join('');
}

/** Returns where a here-document's text and the line of its delimiter end; null when there is no such line. */
function endOfDocument(
  script: string,
  from: number,
  delimiter: string,
): { readonly text: number; readonly line: number } | null {
  let at = from;
  while (at < script.length) {
    const next = script.indexOf('\n', at);
    const end = next === -1 ? script.length : next;
    if (script.slice(at, end).trim() === delimiter) return { text: at, line: end };
    at = end + 1;
  }
  return null;
}
