// Settings as JSON with comments and trailing commas: edits single members and keeps the other text unchanged.
import { isDeepStrictEqual } from 'node:util';
import { isSettings, type Settings } from './settings-edits.ts';

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
const COMMENTS = new RegExp(String.raw`${STRING}|//[^\n]*|/\*[^]*?\*/`, 'g');
const LAST_COMMAS = new RegExp(String.raw`${STRING}|,(?=\s*[}\]])`, 'g');
const TOKENS = new RegExp(String.raw`${STRING}|[{}\[\],:]|[^\s{}\[\],:"]+`, 'g');

/** Parses the text; throws an error for people when it is not JSON, or not an object. */
export function parsed(text: string): Settings {
  if (text.trim() === '') return {};
  const value: unknown = JSON.parse(plain(text));
  if (!isSettings(value)) throw new Error('the settings are not an object');
  return value;
}

/** Returns the text with the settings `after`; unchanged members keep their text and comments. */
export function rewritten(text: string, after: Settings): string {
  const before = parsed(text);
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const isOneLine = !text.trim().includes('\n');
  if (isOneLine && text.trim() === plain(text).trim()) return `${JSON.stringify(after, null, indent)}\n`;
  const written = (value: unknown): string =>
    JSON.stringify(value, null, indent).replaceAll('\n', `\n${indent}`);
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const kept = gone.reduce(without, text);
  return Object.entries(after).reduce((now, [name, value]) => {
    if (!Object.hasOwn(before, name))
      return withMember(now, `${indent}${JSON.stringify(name)}: ${written(value)}`);
    return isDeepStrictEqual(before[name], value) ? now : withValue(now, name, written(value));
  }, kept);
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

/** Replaces or adds a value; throws when comments in the old value would be lost. */
function withValue(text: string, name: string, written: string): string {
  // The last of several members with one name counts.
  const member = membersOf(text).findLast((each) => each.name === name);
  if (!member) return text;
  const { valueFrom, to } = member;
  if (plain(text).slice(valueFrom, to) !== text.slice(valueFrom, to))
    throw new Error(`${name} has comments or trailing commas, which would be lost`);
  return text.slice(0, valueFrom) + written + text.slice(to);
}

function withMember(text: string, line: string): string {
  const last = membersOf(text).at(-1);
  if (last) return `${text.slice(0, last.to)},\n${line}${text.slice(last.to)}`;
  const at = plain(text).indexOf('{') + 1;
  return `${text.slice(0, at)}\n${line}${/^[^\n]*\n/.test(text.slice(at)) ? '' : '\n'}${text.slice(at)}`;
}

/** Removes a member with its line, and the comma before or after it. */
function without(text: string, name: string): string {
  const members = membersOf(text);
  const at = members.findLastIndex((each) => each.name === name);
  const member = members[at];
  if (!member) return text;
  const [before, next] = [members[at - 1], members[at + 1]];
  if (before && !next) return text.slice(0, before.to) + text.slice(member.to);
  return text.slice(0, member.from) + text.slice(next ? next.from : member.to);
}
