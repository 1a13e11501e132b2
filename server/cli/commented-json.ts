// Edits single members of settings in JSON with comments and trailing commas, and leaves the other text unchanged.
import { isSettings, type Settings } from './settings-edits.ts';

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
const COMMENTS = new RegExp(String.raw`${STRING}|//[^\n]*|/\*[^]*?\*/`, 'g');
const LAST_COMMAS = new RegExp(String.raw`${STRING}|,(?=\s*[}\]])`, 'g');
const TOKENS = new RegExp(String.raw`${STRING}|[{}\[\],:]|[^\s{}\[\],:"]+`, 'g');

/**
 * Parses JSON with comments and trailing commas; throws for any other text, and for a value that is not an object.
 * Returns an empty object for an empty text.
 */
export function parsed(text: string): Settings {
  if (text.trim() === '') return {};
  const value: unknown = JSON.parse(plain(text));
  if (!isSettings(value)) throw new Error('the settings are not an object');
  return value;
}

/**
 * Returns the text with the settings `after`. Comments and the text of unchanged members stay, except within a
 * removed member; but a text of one line without comments and trailing commas is formatted anew. Throws when a
 * changed value would lose comments or trailing commas.
 */
export function rewritten(text: string, after: Settings): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const isOneLine = !text.trim().includes('\n');
  if (isOneLine && text.trim() === plain(text).trim()) return `${JSON.stringify(after, null, indent)}\n`;
  return rewrittenObject(text, after, { indent, depth: 1 });
}

interface Layout {
  readonly indent: string;
  /** Number of indents before a member. */
  readonly depth: number;
}

function rewrittenObject(text: string, after: Settings, { indent, depth }: Layout): string {
  const before = parsed(text);
  const margin = indent.repeat(depth);
  const written = (value: unknown): string =>
    JSON.stringify(value, null, indent).replaceAll('\n', `\n${margin}`);
  const valueIn = (old: string, name: string, value: unknown): string => {
    if (plain(old) === old) return written(value);
    if (isSettings(before[name]) && isSettings(value))
      return rewrittenObject(old, value, { indent, depth: depth + 1 });
    throw new Error(`${name} has comments or trailing commas, which would be lost`);
  };
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const remaining = gone.reduce(without, text);
  return Object.entries(after).reduce((now, [name, value]) => {
    if (!Object.hasOwn(before, name))
      return withMember(now, `${margin}${JSON.stringify(name)}: ${written(value)}`, indent.repeat(depth - 1));
    if (JSON.stringify(before[name]) === JSON.stringify(value)) return now;
    return withValue(now, name, (old) => valueIn(old, name, value));
  }, remaining);
}

/** Returns a text of the same length without comments and trailing commas. */
const plain = (text: string): string =>
  uncommented(text).replace(LAST_COMMAS, (found) => (found === ',' ? ' ' : found));

/** Returns a text of the same length without comments. */
const uncommented = (text: string): string =>
  text.replace(COMMENTS, (found) => (found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, ' ')));

interface Member {
  readonly name: string;
  /** Offsets of the whole member, and of its value. */
  readonly from: number;
  readonly valueFrom: number;
  readonly to: number;
}

function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let from = -1;
  let valueFrom = -1;
  let to = -1;
  for (const { 0: token, index } of plain(text).matchAll(TOKENS)) {
    const isClosing = token === '}' || token === ']';
    if ((depth === 1 && token === ',') || (depth === 1 && isClosing)) {
      if (from >= 0) members.push({ name: nameAt(text, from), from, valueFrom, to });
      [from, valueFrom] = [-1, -1];
    } else if (depth === 1 && from < 0) from = index;
    else if (depth === 1 && token !== ':' && valueFrom < 0) valueFrom = index;
    if (token === '{' || token === '[') depth += 1;
    if (isClosing) depth -= 1;
    to = index + token.length;
  }
  return members;
}

const nameAt = (text: string, from: number): string =>
  JSON.parse(new RegExp(STRING, 'y').exec(text.slice(from))?.[0] ?? '""') as string;

function withValue(text: string, name: string, change: (old: string) => string): string {
  // The last of several members with the same name counts.
  const member = membersOf(text).findLast((each) => each.name === name);
  if (!member) return text;
  const { valueFrom, to } = member;
  return text.slice(0, valueFrom) + change(text.slice(valueFrom, to)) + text.slice(to);
}

function withMember(text: string, line: string, margin: string): string {
  const last = membersOf(text).at(-1);
  if (last) return `${text.slice(0, last.to)},\n${line}${text.slice(last.to)}`;
  const at = plain(text).indexOf('{') + 1;
  const end = /^[^\n]*\n/.test(text.slice(at)) ? '' : `\n${margin}`;
  return `${text.slice(0, at)}\n${line}${end}${text.slice(at)}`;
}

/** Removes all members with this name, since an earlier one would count once the last is gone. */
function without(text: string, name: string): string {
  const less = withoutLast(text, name);
  return less === text ? text : without(less, name);
}

/** Removes the last member with this name and its comma, and leaves the comments around it. */
function withoutLast(text: string, name: string): string {
  const members = membersOf(text);
  const at = members.findLastIndex((each) => each.name === name);
  const member = members[at];
  if (!member) return text;
  const { from, to } = member;
  const next = members[at + 1];
  const bare = uncommented(text);
  const commaAfter = /^\s*,/.exec(bare.slice(to));
  const commaBefore = commaAfter ? null : /,\s*$/.exec(bare.slice(0, from));
  const head = withoutCharacter(text.slice(0, from), commaBefore?.index);
  const tail = withoutCharacter(text.slice(to), commaAfter && commaAfter[0].length - 1);
  if (next && !text.slice(to, next.from).includes('\n')) return head + tail.trimStart();
  // A comment may end with its line, so the text after the member must not move up into it.
  const bareHead = withoutCharacter(bare.slice(0, from), commaBefore?.index);
  const isAfterComment = /\s/.test(bareHead.at(head.trimEnd().length - 1) ?? '');
  return (isAfterComment && !/^[^\S\n]*\n/.test(tail) ? head : head.trimEnd()) + tail;
}

const withoutCharacter = (text: string, at: number | null | undefined): string =>
  typeof at === 'number' ? text.slice(0, at) + text.slice(at + 1) : text;
