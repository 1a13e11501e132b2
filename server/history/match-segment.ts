// Finds lines of one segment that match a query, as text without control sequences, across chunk boundaries.
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import { masked } from '../../text/masking.ts';
import { maskedLine } from '../../text/plain-text.ts';
import { storedBytesOf } from '../record/segment-files.ts';
import { lineBlocks, type LineBlock } from './line-blocks.ts';
import { maskedText, type PartedText } from './masked-text.ts';
import { needleOf } from './needle.ts';
import { LINE_CHARS, linesOf, plainView, textOf } from './plain-view.ts';
import { blocksWithNeedle, readIndex } from './segment-index.ts';
import { segmentText, sparseText, type TextPlace } from './segment-text.ts';

export interface SegmentTask {
  readonly path: string;
  /** The next segment, in which this segment's last line may end; null for the newest. */
  readonly nextPath: string | null;
  /** True when segments between this one and the next were removed; the index then does not cover the last line. */
  readonly hasGap: boolean;
  /** True when the first line may begin in the previous segment, whose search then includes it. */
  readonly hasPrevious: boolean;
  /** File of the previous segment; null when there is none, or when it was removed. */
  readonly previousPath: string | null;
  readonly query: LineQuery;
  readonly isRedacted: boolean;
  readonly limit: number;
  /** Number of the line before which to search; null to search all lines. */
  readonly beforeLine: number | null;
}

export interface SegmentHit extends TextPlace {
  /** Number of lines of the segment that end before the hit. */
  readonly linesBefore: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface SegmentFound {
  /** Hits, newest first. */
  readonly hits: readonly SegmentHit[];
  /** Bytes on disk, with the index. */
  readonly bytes: number;
  /** True when there are older hits than these. */
  readonly isCut: boolean;
}

/** Maximum length of a hit's text; a longer line is cut to the part around the match. */
const TEXT_CHARS = 300;
const BEFORE_MATCH_CHARS = 60;
const ANYTHING = /^/;

/** Returns the hits in a segment; none when it is unreadable. */
export function matchSegment(task: SegmentTask): SegmentFound {
  const { query, isRedacted, hasPrevious, limit, beforeLine } = task;
  const needle = needleOf(query, isRedacted);
  const index = task.hasGap ? null : readIndex(task.path);
  const candidates = blocksWithNeedle(index, needle);
  const bytes = storedBytesOf(task.path);
  if (index && candidates === 0) return { hits: [], bytes, isCut: false };
  // Masking needs all text before a hit, and finding `beforeLine` requires counting all lines before it.
  const isSparse = index !== null && needle !== null && !isRedacted && beforeLine === null;
  const segment =
    (isSparse && sparseText(task.path, task.nextPath, candidates)) || segmentText(task.path, task.nextPath);
  const { text, placeOf, linesBefore } = segment;
  const withoutSecrets = isRedacted ? () => maskedText(segment, previousOf(task)) : null;
  const matches = blockMatcher({ query, needle, text, withoutSecrets });
  const hits: SegmentHit[] = [];
  const end = beforeLine === null ? text.length : startOfLine(text, beforeLine);
  const blocks = [...lineBlocks(text, hasPrevious, end).entries()];
  for (const [at, block] of blocks.toReversed()) {
    // A segment without an index may have more blocks than the mask has bits.
    if (index && ((candidates >>> at) & 1) === 0) continue;
    let before: number | null = null;
    for (const { at, line, ...shown } of matches(block)) {
      if (hits.length === limit) return { hits, bytes, isCut: true };
      before ??= linesBefore(block.start);
      hits.push({ linesBefore: before + line, ...shown, ...placeOf(at) });
    }
  }
  return { hits, bytes, isCut: false };
}

interface BlockHit extends Pick<SegmentHit, 'text' | 'start' | 'end'> {
  /** Offset of the hit's line, and the number of the line in its block, from 0. */
  readonly at: number;
  readonly line: number;
}

interface Wanted {
  readonly query: LineQuery;
  readonly needle: string | null;
  readonly text: string;
  /** Returns the text with its secrets masked; null for a reader who sees them. */
  readonly withoutSecrets: (() => string) | null;
}

/** Finds the hits of a block, the newest first. */
function blockMatcher({
  query,
  needle,
  text,
  withoutSecrets,
}: Wanted): (block: LineBlock) => Iterable<BlockHit> {
  const expression = expressionOf(query);
  // An expression is faster than a lower-case copy of the text.
  const inText =
    needle === null ? ANYTHING : expressionOf({ text: needle, isRegex: false, isCaseSensitive: false });
  let shownText: string | null = null;
  /** Returns the line with its secrets masked. */
  const maskedAt = (at: number, length: number, mask: () => string): string => {
    shownText ??= mask();
    return maskedLine(textOf(shownText.slice(at, at + Math.min(length, LINE_CHARS))), masked);
  };
  return function* matches({ start, end }) {
    const raw = text.slice(start, end);
    const view = plainView(raw, withoutSecrets !== null);
    if (!inText.test(view)) return;
    const lines = raw.split('\n');
    const seen = linesOf(view);
    // No line begins after the last line feed.
    const isEnded = raw.endsWith('\n');
    let at = isEnded ? end : end + 1;
    for (let line = lines.length - (isEnded ? 2 : 1); line >= 0; line -= 1) {
      const [{ length }, plain] = [lines[line] ?? '', seen[line] ?? ''];
      at -= length + 1;
      if (!inText.test(plain)) continue;
      const shown = withoutSecrets
        ? maskedAt(at, length, withoutSecrets)
        : textOf(plain.slice(0, LINE_CHARS));
      const match = expression.exec(shown);
      if (match) yield { at, line, ...excerpt(shown, match.index, match[0].length) };
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

/** Returns the previous segment as `maskedText` requires it. */
function previousOf({ hasPrevious, previousPath }: SegmentTask): PartedText | null | undefined {
  if (!hasPrevious) return undefined;
  return previousPath === null ? null : segmentText(previousPath, null);
}

function excerpt(text: string, start: number, length: number): Pick<SegmentHit, 'text' | 'start' | 'end'> {
  const end = start + length;
  if (text.length <= TEXT_CHARS) return { text, start, end };
  const from = Math.max(0, Math.min(start - BEFORE_MATCH_CHARS, text.length - TEXT_CHARS));
  return {
    text: text.slice(from, from + TEXT_CHARS),
    start: start - from,
    end: Math.min(end - from, TEXT_CHARS),
  };
}
