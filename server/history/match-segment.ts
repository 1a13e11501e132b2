// Finds lines of one segment that match a query, as text without control sequences, across chunk boundaries.
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import { mayHaveSecrets } from '../../text/masking.ts';
import { storedBytesOf } from '../record/segment-files.ts';
import { nullWhenUnreadable } from '../record/with-file.ts';
import { lineBlocks, type LineBlock } from './line-blocks.ts';
import { shownMasked } from './masked-block.ts';
import { maskedRanges } from './masked-text.ts';
import { needleOf } from './needle.ts';
import { cutsIn, textWithCuts } from './output-gaps.ts';
import { LINE_CHARS, linesOf, plainView, textOf } from './plain-view.ts';
import { blocksWithNeedle, readIndex } from './segment-index.ts';
import { previousText, segmentText, sparseText, type SegmentAround, type TextPlace } from './segment-text.ts';
import { excerpt } from '../../text/excerpt.ts';

export interface SegmentTask extends SegmentAround {
  readonly query: LineQuery;
  readonly isRedacted: boolean;
  readonly limit: number;
  /** Number of the line before which to search; null to search all lines. */
  readonly beforeLine: number | null;
}

export interface SegmentHit extends TextPlace {
  /** Number of lines of the segment that end before the hit. */
  readonly linesBefore: number;
  /** Number of those after the last gap in the segment before the hit; null without one. */
  readonly linesAfterGap: number | null;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface SegmentFound {
  /** Hits, newest first. */
  readonly hits: readonly SegmentHit[];
  /** Bytes of all output before that of the segment; null when it has none, or was not read. */
  readonly start: number | null;
  /** Time at which the segment was begun, so that earlier segments have no later output; null when it was not read. */
  readonly fromMs: number | null;
  /** Bytes on disk that the search covers, with the index. */
  readonly bytes: number;
  /** Bytes on disk that could not be read, or without a valid head. */
  readonly unreadBytes: number;
  /** False when the system could not read the segment or an adjacent one, so that hits may be missing. */
  readonly isRead: boolean;
  /** True when the segment has older hits than these. */
  readonly isCut: boolean;
}

const ANYTHING = /^/;
const NOTHING_FOUND = { hits: [], start: null, fromMs: null, bytes: 0, isCut: false };

/**
 * Returns the hits in a segment: none when the system cannot read it, and those in it alone when the system cannot
 * read an adjacent one.
 */
export function matchSegment(task: SegmentTask): SegmentFound {
  const found = matchIfReadable(task);
  if (found) return { ...found, isRead: true };
  const own = matchIfReadable({ ...task, nextPath: null, hasGap: true, previousPath: null });
  return { ...(own ?? { ...NOTHING_FOUND, unreadBytes: sizeOf(task.path) }), isRead: false };
}

/** Returns the bytes on disk of a segment that cannot be read; 0 when the system does not return its size either. */
function sizeOf(path: string): number {
  try {
    return storedBytesOf(path);
  } catch (error) {
    nullWhenUnreadable(error);
    return 0;
  }
}

function matchIfReadable(task: SegmentTask): Omit<SegmentFound, 'isRead'> | null {
  try {
    return matchReadable(task);
  } catch (error) {
    return nullWhenUnreadable(error);
  }
}

function matchReadable(task: SegmentTask): Omit<SegmentFound, 'isRead'> {
  const { query, isRedacted, hasPrevious, limit, beforeLine } = task;
  const needle = needleOf(query);
  const index = task.hasGap ? null : readIndex(task.path);
  const candidates = blocksWithNeedle(index, needle, isRedacted);
  const bytes = storedBytesOf(task.path);
  if (index && candidates === 0) return { ...NOTHING_FOUND, bytes, unreadBytes: 0 };
  // Counting from a gap and finding `beforeLine` require all lines before, and masking requires the whole text.
  const isSparse =
    index !== null && !index.count.hasGap && needle !== null && beforeLine === null && !isRedacted;
  const segment =
    (isSparse && sparseText(task.path, task.nextPath, candidates)) || segmentText(task.path, task.nextPath);
  const { text, ownLength, isDamaged, start, fromMs, gaps, placeOf, linesBefore } = segment;
  const covered = fromMs === null ? { bytes: 0, unreadBytes: bytes } : { bytes, unreadBytes: 0 };
  // Redacted readers are not shown a line that may contain the rest of a secret from the damaged output.
  const isSeamOnly = ownLength === 0 && !isRedacted;
  const shownIn = isRedacted ? maskedRanges(segment, previousText(task)) : sliceOf(text);
  const matches = blockMatcher({ query, needle, shownIn, gaps, isRedacted });
  const hits: SegmentHit[] = [];
  const atGaps = new Map<number, number>();
  const linesBeforeGap = (gap: number): number => {
    const lines = atGaps.get(gap) ?? linesBefore(gap);
    atGaps.set(gap, lines);
    return lines;
  };
  const end = beforeLine === null ? text.length : startOfLine(text, beforeLine);
  const blocks = [...lineBlocks(text, hasPrevious && !isSeamOnly, end).entries()];
  for (const [at, block] of blocks.toReversed()) {
    // A segment without an index may have more blocks than the mask has bits.
    if (index && !isDamaged && !isSeamOnly && ((candidates >>> at) & 1) === 0) continue;
    let before: number | null = null;
    for (const { at, line, ...shown } of matches(block)) {
      before ??= linesBefore(block.start);
      const own = before + line;
      // The next page begins before a line feed, so all hits of a line with a gap are on one page.
      if (hits.length >= limit && hits.at(-1)?.linesBefore !== own)
        return { hits, start, fromMs, ...covered, isCut: true };
      const gap = gaps.findLast((place) => place <= at);
      const linesAfterGap = gap === undefined ? null : own - linesBeforeGap(gap);
      hits.push({ linesBefore: own, linesAfterGap, ...shown, ...placeOf(at) });
    }
  }
  return { hits, start, fromMs, ...covered, isCut: false };
}

const sliceOf =
  (text: string) =>
  ({ start, end }: LineBlock): string =>
    text.slice(start, end);

interface BlockHit extends Pick<SegmentHit, 'text' | 'start' | 'end'> {
  /** Offset of the hit's line, and the number of line feeds before it in its block. */
  readonly at: number;
  readonly line: number;
}

interface Wanted {
  readonly query: LineQuery;
  readonly needle: string | null;
  /** Returns the text of a block, with its secrets masked for a redacted reader. */
  readonly shownIn: (block: LineBlock) => string;
  /** Places in the text before which output is missing. */
  readonly gaps: readonly number[];
  readonly isRedacted: boolean;
}

/** Returns a function that yields the hits in a block, newest first. */
function blockMatcher({
  query,
  needle,
  shownIn,
  gaps,
  isRedacted,
}: Wanted): (block: LineBlock) => Iterable<BlockHit> {
  const expression = expressionOf(query);
  // Testing a case-insensitive expression is faster than searching a lower-case copy of the text.
  const inText =
    needle === null ? ANYTHING : expressionOf({ text: needle, isRegex: false, isCaseSensitive: false });
  return function* matches(block) {
    const output = shownIn(block);
    const cuts = new Set(cutsIn(gaps, block, output));
    const raw = textWithCuts(output, block.start, [...cuts]);
    const view = plainView(raw, isRedacted);
    // Some secrets appear only in the drawn line and are masked there, so their lines are searched after masking.
    const mayDrawSecrets = isRedacted && mayHaveSecrets(view);
    if (!mayDrawSecrets && !inText.test(view)) return;
    const lines = raw.split('\n');
    const seen = linesOf(view);
    // Each line ends right before the next one, or before the line feed between them.
    let [at, line] = [block.end + 1, lines.length - cuts.size];
    for (let index = lines.length - 1; index >= 0; index -= 1) {
      const [drawn, plain] = [lines[index] ?? '', seen[index] ?? ''];
      const isFed = !cuts.has(at);
      at -= drawn.length + (isFed ? 1 : 0);
      line -= isFed ? 1 : 0;
      // No line begins after the last line feed.
      if (at === block.end) continue;
      const mayDrawOne = mayDrawSecrets && mayHaveSecrets(plain);
      if (!mayDrawOne && !inText.test(plain)) continue;
      const shown = isRedacted ? shownMasked(drawn) : textOf(plain.slice(0, LINE_CHARS));
      if (mayDrawOne && !inText.test(shown)) continue;
      const match = expression.exec(shown);
      if (match) yield { at, line, ...excerpt(shown, match.index, match.index + match[0].length) };
    }
  };
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let before = 0; before < line; before += 1) {
    const newline = text.indexOf('\n', at);
    if (newline < 0) return text.length;
    at = newline + 1;
  }
  return at;
}
