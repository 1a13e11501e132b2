// Edits single members of settings in JSON with comments and trailing commas, and leaves the other text unchanged.
import { isSettings, type Settings } from './settings-edits.ts';

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
const COMMENTS = new RegExp(String.raw`${STRING}|//[^\n]*|/\*[^]*?\*/`, 'g');
const LAST_COMMAS = new RegExp(String.raw`${STRING}|,(?=\s*[}\]])`, 'g');
const TOKENS = new RegExp(String.raw`${STRING}|[{}\[\],:]|[^\s{}\[\],:"]+`, 'g');

/** Parses the text; throws when it is not JSON with comments, or not an object. Empty text has no settings. */
export function parsed(text: string): Settings {
  if (text.trim() === '') return {};
  const value: unknown = JSON.parse(plain(text));
  if (!isSettings(value)) throw new Error('the settings are not an object');
  return value;
}

/**
 * Returns the text with the settings `after`. Unchanged members keep their text and comments, but a comment between a
 * removed member and the next one is lost, and a text of one line without comments and trailing commas is formatted
 * anew. Throws when a changed value would lose comments or trailing commas.
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
  text
    .replace(COMMENTS, (found) => (found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, ' ')))
    .replace(LAST_COMMAS, (found) => (found === ',' ? ' ' : found));

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

/** Replaces the value of a member. */
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

/** Removes a member with all text up to the next member or, if it is the last of several, after the previous one. */
function without(text: string, name: string): string {
  const members = membersOf(text);
  const at = members.findLastIndex((each) => each.name === name);
  const member = members[at];
  if (!member) return text;
  const [before, next] = [members[at - 1], members[at + 1]];
  if (before && !next) return text.slice(0, before.to) + text.slice(member.to);
  return text.slice(0, member.from) + text.slice(next ? next.from : member.to);
}
