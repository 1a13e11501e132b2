// Collects the end of earlier output in which a secret may begin, however long the sequences in it are.
import { CUT_CHARACTER, type Before } from './masking.ts';
import { LONGEST_ANNOUNCEMENT, MOST_TRACKED } from './secret-spans.ts';
import { SEQUENCE_END } from './without-controls.ts';
import { fewestLetters } from './xterm-reading.ts';

/**
 * Number of characters at which collecting earlier output stops; if too few of them are text, later text that may be
 * the rest of a secret is masked.
 */
export const MOST_BEFORE = 256 * 1024;

/** Text that may be the parameters of a sequence. */
const PARAMETERS = /^[0-?]*[ -/]*$/;

/** No earlier output: the text is the beginning. */
export const NOTHING_BEFORE: Before = { text: '', cutOff: null };
/** Earlier output that is not retained. */
export const MISSING: Before = { text: '', cutOff: 'letters' };

/**
 * Returns the end of the pieces, which are given newest first: where possible, enough text for `openLength`
 * letters of a secret and the text that announces it. `oldest`: the text before the oldest piece, as far as
 * it is known.
 */
export function textBefore(newestFirst: Iterable<string>, oldest: Before, openLength = MOST_TRACKED): Before {
  const letters = openLength + LONGEST_ANNOUNCEMENT;
  const pieces: string[] = [];
  let length = 0;
  let wanted = letters;
  let hasEnd = false;
  for (const piece of newestFirst) {
    pieces.push(piece);
    length += piece.length;
    hasEnd ||= SEQUENCE_END.test(piece);
    if (length < wanted) continue;
    wanted = 2 * length;
    const all = joined(pieces);
    // Text before the first possible end of a sequence may belong to that sequence.
    const end = all.search(SEQUENCE_END);
    const text = end < 0 ? all : all.slice(end);
    const isEnough = fewestLetters(text) >= letters;
    if (isEnough && end >= 0) return { text, cutOff: null };
    if (length < MOST_BEFORE) continue;
    if (PARAMETERS.test(text)) return { text: '\u001b[', cutOff: 'letters' };
    return { text, cutOff: isEnough ? 'sequence' : 'letters' };
  }
  const text = oldest.text + joined(pieces);
  if (hasEnd || oldest.text !== '' || length < letters) return { text, cutOff: oldest.cutOff };
  return { text, cutOff: oldest.cutOff && 'sequence' };
}

/** Joins the pieces without the rest of a character that was cut. */
const joined = (newestFirst: readonly string[]): string =>
  newestFirst.toReversed().join('').replace(CUT_CHARACTER, '');
