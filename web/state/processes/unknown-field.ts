// A filter word with an unknown field, such as `nam:value`, and the word that was probably intended.
import { visible } from '../../../text/visible.ts';
import { STATUSES } from './filter-suggestions.ts';
import { filterWord, PLACES, type FilterWord, type Place } from './process-filter.ts';

/** Field names used by other tools. */
const ALSO_CALLED: { readonly [name: string]: Place } = {
  is: 'status',
  has: 'status',
  exit: 'status',
  name: 'command',
  cmd: 'command',
  argv: 'command',
  process: 'command',
  program: 'command',
  title: 'label',
  cwd: 'folder',
  dir: 'folder',
  directory: 'folder',
  path: 'folder',
  client: 'agent',
  user: 'agent',
  by: 'agent',
  session: 'thread',
  tool: 'call',
  toolcall: 'call',
};

export interface UnknownField {
  readonly name: string;
  /**
   * The whole word with a known field; null when no field is similar, or when the similar field is `status` and the
   * value is not a status.
   */
  readonly meant: string | null;
}

/**
 * Returns the unknown field of a word `name:value`; null for other words, including `localhost:3000` and `https://…`.
 */
export function unknownField({ text, place }: Pick<FilterWord, 'text' | 'place'>): UnknownField | null {
  const [, sign = '', name = '', quoted = ''] =
    /^([!-]?)([a-z][\w-]+):(?!\/\/|\d+(?:\/|$))(.+)$/i.exec(text) ?? [];
  if (place !== null || name === '') return null;
  const value = quoted.replaceAll('"', '');
  const near = nearestPlace(name.toLowerCase());
  const isStatus = STATUSES.some((status) => status.startsWith(value.toLowerCase()));
  const meant =
    near === null || (near === 'status' && !isStatus) ? null : `${sign}${filterWord(near, value)}`;
  return { name: visible(name), meant };
}

function nearestPlace(name: string): Place | null {
  const known = Object.hasOwn(ALSO_CALLED, name) ? ALSO_CALLED[name] : undefined;
  if (known) return known;
  const [nearest] = PLACES.map((place) => ({ place, edits: editsBetween(name, place) })).toSorted(
    (a, b) => a.edits - b.edits,
  );
  const begun = PLACES.find((place) => place.startsWith(name));
  return begun ?? (nearest && nearest.edits <= 2 ? nearest.place : null);
}

/** Returns the edit distance: the number of letters to insert, delete or replace to turn one word into the other. */
function editsBetween(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [row, letter] of Array.from(from).entries()) {
    const line = [row + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const same = (above[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      line.push(Math.min(same, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above[to.length] ?? 0;
}
