// A log entry as DOM, built without parsing HTML, so that program output is never interpreted as markup.
import { clockText, dateTimeText } from '../../../text/amounts.ts';
import { drawnColours, type Palette } from './colours.ts';
import { lineHref } from '../../state/page/line-link.ts';
import { rangeOf } from './line-target.ts';
import type { LogEntry, LogLine } from './log-entry.ts';
import { PLAIN_STYLE, type TextStyle } from './text-style.ts';
import { webAddress } from './web-address.ts';

/** A search match in the text of a line. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly isPresent: boolean;
}

export interface RowLook {
  readonly key: string;
  readonly palette: Palette;
  readonly marks: readonly Mark[];
  /** True when the entry is marked, by a link to it or by a click on a line number. */
  readonly isTarget: boolean;
}

export function drawRow(entry: LogEntry, id: number, look: RowLook): HTMLElement {
  const row = document.createElement('div');
  row.dataset['id'] = String(id);
  if (entry.kind === 'divider') {
    row.className = 'log-row log-divider';
    row.append(`— ${entry.text} —`);
    return row;
  }
  row.className = `log-row ${entry.stream} ${look.isTarget ? 'target' : ''}`;
  row.append(gutter(entry, look.key), textOf(entry, look));
  return row;
}

/** Draws a placeholder for a recorded line that is still being read. */
export function drawPending(id: number): HTMLElement {
  const row = document.createElement('div');
  row.dataset['id'] = String(id);
  row.className = 'log-row log-pending';
  row.append('…');
  return row;
}

/** Returns the label of a line: `12`, or `+3` for the third line after a gap. */
const numberLabel = ({ number, isAfterGap }: LogLine): string => `${isAfterGap ? '+' : ''}${number}`;

function gutter(line: LogLine, key: string): HTMLElement {
  const gutter = document.createElement('span');
  gutter.className = 'log-gutter';
  const number = document.createElement('a');
  number.className = 'log-number';
  if (!line.continues) {
    number.href = lineHref({ key, ...rangeOf(line, line) });
    number.textContent = numberLabel(line);
    number.title = 'Link to this line; Shift-click for a range';
    number.tabIndex = -1;
  }
  const time = document.createElement('time');
  time.className = 'log-time';
  if (!line.continues) {
    time.textContent = line.atMs === null ? '·' : clockText(line.atMs, true);
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

function timeTitle(atMs: number | null): string {
  if (atMs === null) return 'The time of this line is unknown';
  return `Read by the gateway at ${dateTimeText(atMs)}`;
}

function textOf({ text, runs }: LogLine, { palette, marks }: RowLook): HTMLElement {
  const element = document.createElement('span');
  element.className = 'log-text';
  const styles = runs.map(({ start, style }, at) => ({
    start,
    end: runs[at + 1]?.start ?? text.length,
    style,
  }));
  const links = linksIn(text, styles);
  const edges = [...styles, ...marks, ...links].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set(edges)].toSorted((one, other) => one - other);
  const [styleAt, markAt, linkAt] = [sweep(styles), sweep(marks), sweep(links)];
  for (const [at, start] of cuts.slice(0, -1).entries()) {
    const style = styleAt(start)?.style ?? PLAIN_STYLE;
    const node = styled(text.slice(start, cuts[at + 1]), style, markAt(start), palette);
    const link = linkAt(start);
    element.append(link ? linked(node, link) : node);
  }
  return element;
}

interface Link extends Span {
  readonly address: string;
}

interface StyledSpan extends Span {
  readonly style: TextStyle;
}

/** Returns the links in a line: the program's hyperlinks, and web addresses written in the rest of the text. */
function linksIn(text: string, styles: readonly StyledSpan[]): Link[] {
  const meant = styles.flatMap(({ start, end, style: { link } }) => {
    const address = link === null ? null : webAddress(link);
    return address === null ? [] : [{ start, end, address }];
  });
  let next = 0;
  const written = writtenLinks(text).filter(({ start, end }) => {
    while ((meant[next]?.end ?? text.length) <= start) next += 1;
    return (meant[next]?.start ?? text.length) >= end;
  });
  return [...meant, ...written].toSorted((one, other) => one.start - other.start);
}

/** Returns the web addresses in a text, without punctuation that follows them. */
function writtenLinks(text: string): Link[] {
  if (!text.includes('://')) return [];
  return [...text.matchAll(/https?:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?)\]}]/gi)].flatMap(
    ({ 0: target, index }) => {
      const address = webAddress(target);
      return address === null ? [] : [{ start: index, end: index + target.length, address }];
    },
  );
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns a function that finds the span at a position; call it with ascending positions. */
function sweep<T extends Span>(spans: readonly T[]): (at: number) => T | null {
  let next = 0;
  return (at) => {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    const span = spans[next];
    return span && span.start <= at ? span : null;
  };
}

function linked(node: Node, { address }: Link): HTMLElement {
  const link = document.createElement('a');
  link.className = 'log-link';
  link.href = address;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.title = address;
  // Dragging over a link must select text.
  link.draggable = false;
  link.append(node);
  return link;
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
