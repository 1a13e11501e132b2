// Numbers of lines in parts of a recording: counted from its first line, or from the last gap, since nobody knows how many
// lines a gap had.

export interface LineCount {
  /** Bytes of all output before the first and after the last one of this part; null without output. */
  readonly start: number | null;
  readonly end: number | null;
  /** Number of line feeds, or of those after the last gap. */
  readonly lines: number;
  readonly hasGap: boolean;
}

export const NO_LINES: LineCount = { start: null, end: null, lines: 0, hasGap: false };

/** Count before the first output of a recording. */
export const BEGINNING: LineCount = { start: 0, end: 0, lines: 0, hasGap: false };

/** Returns the count of two successive parts. */
export function joinedCount(one: LineCount, next: LineCount): LineCount {
  if (next.start === null) return one;
  if (one.start === null) return next;
  const isJoined = next.start === one.end && !next.hasGap;
  return {
    start: one.start,
    end: next.end,
    lines: (isJoined ? one.lines : 0) + next.lines,
    hasGap: one.hasGap || !isJoined,
  };
}

/** Returns the count after a part that cannot be read: whatever follows it is after a gap. */
export const afterUnread = ({ start }: LineCount): LineCount => ({
  start,
  end: null,
  lines: 0,
  hasGap: true,
});
