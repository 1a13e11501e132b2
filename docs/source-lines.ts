// Reads the lines of the documents and of all code, and filters them, for the lints of words, comments and names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export interface Line {
  readonly at: string;
  readonly text: string;
}

const PRODUCT = ['protocol', 'text', 'client', 'server', 'web', 'tools', 'bench'];

const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => pattern.test(path) && !/\.test\.|\/testing\//.test(path));

/** Returns the matching files of all folders with code or documents, including tests. */
export function everyFile(pattern: RegExp): string[] {
  return [...PRODUCT, 'e2e', 'scripts', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => pattern.test(path)),
  );
}

export function linesOf(path: string): Line[] {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  return lines.map((text, at) => ({ at: `${path}:${at + 1}`, text }));
}

export const isComment = ({ text }: Line): boolean => /^\s*(\/\/|\/?\*)/.test(text);
/** Pattern for the lines of a `.tsx` file that contain only words: text between tags, or names in a list. */
const PLAIN_WORDS = /^\s+[\p{L}\p{N}][\p{L}\p{N}\p{Zs}.,:;!?…·’'()/-]*$/u;
/** Returns true for a line with a string literal or with text between tags. */
export const isString = (line: Line): boolean =>
  !isComment(line) &&
  (/['"`>}]|^\s+[A-Za-z]+ [a-z]+ /.test(line.text) ||
    (/\.tsx:/.test(line.at) && PLAIN_WORDS.test(line.text)));

export const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'server/SPEC.md',
  ...filesIn('docs', /\.md$/),
].flatMap(linesOf);
export const SOURCES = PRODUCT.flatMap((folder) => filesIn(folder, /\.tsx?$/).flatMap(linesOf));

/** Lines of all sources, including tests, scripts and styles; a docstring's first line is joined with its opening. */
export const EVERY_SOURCE = everyFile(/\.(?:tsx?|mjs|css)$/).flatMap((path) => withFirstLines(linesOf(path)));

/** Joins the opening line of multi-line docstrings with their first text line. */
export function withFirstLines(lines: readonly Line[]): readonly Line[] {
  return lines.map((line, index) => {
    const next = lines[index + 1];
    if (!next || !/^\s*\/\*\*?\s*$/.test(line.text)) return line;
    return { ...line, text: `${line.text.trimEnd()} ${next.text.replace(/^\s*\* ?/, '')}` };
  });
}

/** Returns matching lines as `file:line: text`. */
export const hits = (wording: RegExp, lines: readonly Line[]): string[] =>
  lines.filter(({ text }) => wording.test(text)).map(({ at, text }) => `${at}: ${text.trim()}`);

/** Returns code without comments, strings, regular expressions, the text of templates, and text between tags. */
export const codeIn = ({ text }: Line): string =>
  text
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''")
    .replaceAll(/`[^`]*`/g, (template) => (template.match(/\$\{[^}]*\}/g) ?? []).join())
    .replaceAll(/\/\/.*|\/\*.*?\*\/|^[\w ,.]+$/g, '')
    .replaceAll(/(?<=^|[\s(,[])\/(?:\[[^\]]*\]|[^/\\[]|\\.)+\/[a-z]*/g, '');

/** Returns the comment of a line: the whole line, or the comment after its code; an empty array when it has none. */
export function commentIn(line: Line): Line[] {
  if (isComment(line)) return [line];
  const blank = (text: string): string => ' '.repeat(text.length);
  const code = line.text
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g, blank)
    .replaceAll(/(?<=^|[\s(,[])\/(?![/*])(?:\[[^\]]*\]|[^/\\[]|\\.)+\/[a-z]*/g, blank);
  const start = /(?<=\s|\{)\/[/*]/.exec(code)?.index;
  return start === undefined ? [] : [{ ...line, text: line.text.slice(start) }];
}

/** Returns the lines with names of tests: on the line of the call, or alone on the line below it. */
export function testNames(lines: readonly Line[]): Line[] {
  return lines.filter(({ text }, index) => {
    const isBeside = /^\s*(?:(?:await )?(?:it|test|describe)\b[\w.]*|\] ?(?:as const)?\))\(['"`]/.test(text);
    const before = lines[index - 1]?.text ?? '';
    return isBeside || (/^\s*['"`]/.test(text) && /^\s*(?:it|test|describe)\b[\w.]*\($/.test(before));
  });
}
