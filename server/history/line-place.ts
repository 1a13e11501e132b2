// Places in a recording, each with the numbers of lines and gaps before it.
import type { Stream } from '../../protocol/process.ts';
import type { RowPlace } from '../../protocol/recorded-lines.ts';

export interface LinePlace {
  /** Number of lines that begin before the place; each line and each gap is a row. */
  readonly lines: number;
  /** Number of gaps before the place. */
  readonly gaps: number;
  /** Number of lines that begin before the last gap; 0 when there is no gap. */
  readonly linesAtGap: number;
  /** Streams whose last line has not ended. */
  readonly open: readonly Stream[];
  /** Bytes of all output before the place. */
  readonly offset: number;
  /** Seq of the next event; `afterGap` and `afterOutput` do not change it. */
  readonly seq: number;
}

export const FIRST_PLACE: LinePlace = { lines: 0, gaps: 0, linesAtGap: 0, open: [], offset: 0, seq: 1 };

const LINE_FEED = 10;

export const rowOf = ({ lines, gaps }: LinePlace): number => lines + gaps;

export const rowPlaceOf = (place: LinePlace): RowPlace => ({
  row: rowOf(place),
  number: place.lines - place.linesAtGap,
  isAfterGap: place.gaps > 0,
  open: place.open,
});

/** Returns the place after a gap that ends at this offset. */
export const afterGap = (place: LinePlace, offset: number): LinePlace => ({
  ...place,
  gaps: place.gaps + 1,
  linesAtGap: place.lines,
  open: [],
  offset,
});

/** Returns the place after these bytes, which directly follow the given place. */
export function afterOutput(place: LinePlace, stream: Stream, bytes: Buffer): LinePlace {
  if (bytes.length === 0) return place;
  const wasOpen = place.open.includes(stream);
  const last = bytes.length - 1;
  let lines = place.lines + (wasOpen ? 0 : 1);
  for (let at = bytes.indexOf(LINE_FEED); at >= 0 && at < last; at = bytes.indexOf(LINE_FEED, at + 1))
    lines += 1;
  const open = place.open.filter((each) => each !== stream);
  if (bytes[last] !== LINE_FEED) open.push(stream);
  return { ...place, lines, offset: place.offset + bytes.length, open };
}
