// One entry of a log as DOM: text nodes only, so that nothing that a program prints is ever markup.
import { drawnColours, type Palette } from './colours.ts';
import { lineHref } from './line-link.ts';
import type { LogEntry, LogLine } from './log-lines.ts';
import type { TextStyle } from './text-style.ts';

/** A part of a line's text that a search has found. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly isPresent: boolean;
}

export interface RowLook {
  readonly key: string;
  readonly palette: Palette;
  readonly marks: readonly Mark[];
}

export function drawRow(entry: LogEntry, id: number, look: RowLook): HTMLElement {
  const row = document.createElement('div');
  row.dataset['id'] = String(id);
  if (entry.kind === 'divider') {
    row.className = 'log-row log-divider';
    row.append(`— ${entry.text} —`);
    return row;
  }
  row.className = `log-row ${entry.stream}`;
  row.append(gutter(entry, look.key), textOf(entry, look));
  return row;
}

/** The label of a line: `12`, or `+3` when it is not known how many there were before. */
const numberLabel = ({ number, isAfterGap }: LogLine): string => `${isAfterGap ? '+' : ''}${number}`;

function gutter(line: LogLine, key: string): HTMLElement {
  const gutter = document.createElement('span');
  gutter.className = 'log-gutter';
  const number = document.createElement('a');
  number.className = 'log-number';
  if (!line.continues) {
    number.href = lineHref({ key, offset: line.offset });
    number.textContent = numberLabel(line);
    number.title = 'Link to this line';
    number.tabIndex = -1;
  }
  const time = document.createElement('time');
  time.className = 'log-time';
  if (!line.continues) {
    time.textContent = line.atMs === null ? '·' : clockText(line.atMs);
    time.title = timeTitle(line.atMs);
    if (line.atMs !== null) time.dateTime = new Date(line.atMs).toISOString();
  }
  const mark = document.createElement('span');
  mark.className = 'log-stream';
  if (line.stream === 'stderr') {
    mark.textContent = 'err';
    mark.title = 'Printed to stderr';
  }
  gutter.append(number, time, mark);
  return gutter;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `20:14:03`, in the reader's own time. */
function clockText(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

function timeTitle(atMs: number | null): string {
  if (atMs === null) return 'Nobody has noted when this was printed';
  return `${new Date(atMs).toLocaleString()} · when the gateway read it`;
}

function textOf({ text, runs }: LogLine, { palette, marks }: RowLook): HTMLElement {
  const element = document.createElement('span');
  element.className = 'log-text';
  const ends = runs.map((_, at) => runs[at + 1]?.start ?? text.length);
  runs.forEach(({ start, style }, at) => {
    for (const piece of pieces(start, ends[at] ?? text.length, marks)) {
      element.append(styled(text.slice(piece.start, piece.end), style, piece.mark, palette));
    }
  });
  return element;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly mark: Mark | null;
}

/** A run, cut where marks begin and end. */
function pieces(start: number, end: number, marks: readonly Mark[]): Piece[] {
  const cut: Piece[] = [];
  let at = start;
  for (const mark of marks) {
    if (mark.end <= at || mark.start >= end) continue;
    if (mark.start > at) cut.push({ start: at, end: mark.start, mark: null });
    cut.push({ start: Math.max(at, mark.start), end: Math.min(end, mark.end), mark });
    at = Math.min(end, mark.end);
  }
  if (at < end) cut.push({ start: at, end, mark: null });
  return cut;
}

function styled(text: string, style: TextStyle, mark: Mark | null, palette: Palette): Node {
  const { colour, background } = drawnColours(style, palette);
  const isPlain = colour === null && background === null && !style.bold && !style.italic && !style.isEscape;
  if (isPlain && !style.underline && !style.strike && !mark) return document.createTextNode(text);
  const span = document.createElement(mark ? 'mark' : 'span');
  span.textContent = text;
  if (mark?.isPresent) span.className = 'present';
  if (style.isEscape) span.className = 'log-escape';
  if (style.bold) span.style.fontWeight = '700';
  if (style.italic) span.style.fontStyle = 'italic';
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean);
  if (lines.length > 0) span.style.textDecoration = lines.join(' ');
  if (!mark) {
    if (colour !== null) span.style.color = colour;
    if (background !== null) span.style.backgroundColor = background;
  }
  return span;
}
