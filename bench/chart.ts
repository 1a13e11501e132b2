// Draws the chart of one measure: a bar from zero per median, with a line for the range of the rounds.
import { MARGIN, picture, place, text, WIDTH } from '../server/testing/picture.ts';
import { shown, type Row } from './report.ts';

/** Minimum width in px of the column of labels, which longer labels widen. */
const LABELS = 108;
/** Assumed width in px of one character of a label. */
const LETTER = 8.2;
/** Width in px reserved for the value to the right of the longest bar. */
const VALUES = 110;
/** Length in characters above which a unit is appended to the heading, unless the heading already ends with it. */
const LONGEST_UNIT = 10;
const BAR = 12;
const LINE = 20;
const GAP = 18;
const HEADING = 28;
/** Figures that only count operations or lines; they are not drawn. */
const COUNTS = /(operations|lines)$/;

interface Bar {
  readonly label: string;
  readonly rounds: readonly number[];
  readonly median: number;
  readonly isOurs: boolean;
}

/** Bars that share one scale. */
interface Block {
  readonly heading: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

export function chart(name: string, about: string, rows: readonly Row[]): string {
  const blocks = blocksOf(rows.filter(({ figure }) => !COUNTS.test(figure)));
  const letters = Math.max(...blocks.flatMap(({ bars }) => bars.map(({ label }) => label.length)), 0);
  const left = Math.max(LABELS, letters * LETTER + 12);
  let height = 0;
  const body = blocks.map((block) => {
    const top = height + HEADING;
    height = top + block.bars.length * LINE + GAP;
    const hint = text(WIDTH - 2 * MARGIN, top - 10, aimOf(block), null, 'end');
    return [text(0, top - 10, block.heading, 'name'), hint, ...drawn(block, top, left)].join('\n');
  });
  return picture({
    title: name,
    subtitle: about,
    description: blocks.map(altText).join('. '),
    height,
    body: body.join('\n'),
  });
}

/**
 * Groups the bars. Several servers: one group per figure. One server: figures that differ only in the case
 * before the colon share a group, and figures without a case are grouped by unit.
 */
function blocksOf(rows: readonly Row[]): Block[] {
  const blocks = new Map<string, { heading: string; unit: string; bars: Bar[] }>();
  for (const { figure, rounds, medians } of rows) {
    const [, when = '', what = ''] = /^(?:([^:]+): )?(.*)$/.exec(figure) ?? [];
    const [, name = '', unit = ''] = /^(.*?)(?:, ([^,]+))?$/.exec(what) ?? [];
    const isAlone = rounds.size === 1;
    const id = isAlone ? (when === '' ? unit : what) : figure;
    const heading = isAlone ? (when === '' ? onlyUnit(unit) : name) : when === '' ? name : `${when}: ${name}`;
    const block = blocks.get(id) ?? headed(heading, unit);
    blocks.set(id, block);
    for (const [server, values] of rounds) {
      if (values.length === 0) continue;
      block.bars.push({
        label: isAlone ? when || name : server,
        rounds: values,
        median: medians.get(server) ?? Number.NaN,
        isOurs: server === 'ours',
      });
    }
  }
  return [...blocks.values()];
}

function onlyUnit(unit: string): string {
  if (unit === '') return 'counts';
  return unit.startsWith('+') ? `${unit.slice(1)} more than before` : `in ${unit}`;
}

const headed = (heading: string, unit: string) =>
  unit.length > LONGEST_UNIT && !heading.endsWith(unit)
    ? { heading: `${heading}, ${unit}`, unit: '', bars: [] }
    : { heading, unit, bars: [] };

function drawn({ unit, bars }: Block, top: number, left: number): string[] {
  const longest = Math.max(...bars.flatMap(({ rounds }) => rounds), Number.MIN_VALUE);
  const room = WIDTH - 2 * MARGIN - left - VALUES;
  const x = (value: number): number => left + (Math.max(0, value) / longest) * room;
  return bars.flatMap(({ label, rounds, median, isOurs }, at) => {
    const [y, low, high] = [top + at * LINE, Math.min(...rounds), Math.max(...rounds)];
    const [middle, end] = [y + BAR / 2, Math.max(x(high), left + 2)];
    // Positive medians get a bar of at least 2 px, so that tiny values are visible.
    const width = Math.max(x(median) - left, median > 0 ? 2 : 0);
    const bar = `x="${place(left)}" y="${y}" width="${place(width)}" height="${BAR}" rx="2"`;
    return [
      text(left - 12, y + 10.5, label, isOurs ? 'name' : null, 'end'),
      `<line class="rule" x1="${place(left)}" y1="${y - 2}" x2="${place(left)}" y2="${y + BAR + 2}"/>`,
      `<rect class="${isOurs ? 'first' : 'other'}" ${bar}/>`,
      ...(high > low
        ? [`<line class="range" x1="${place(x(low))}" y1="${middle}" x2="${place(x(high))}" y2="${middle}"/>`]
        : []),
      text(end + 8, y + 10.5, withUnit(median, unit), isOurs ? 'name' : null),
    ];
  });
}

/** Returns "more is better" or "less is better"; empty if neither follows from the unit or the heading. */
function aimOf({ heading, unit }: Block): string {
  if (unit.endsWith('/s') || /^(started|answered) of/.test(heading)) return 'more is better';
  return /^(ms|MB|\+MB|KB|KB each|s)$/.test(unit) && heading !== 'in MB' ? 'less is better' : '';
}

/** Returns the value with its unit, such as `+3 MB` or `-3 MB` for a unit of growth. */
function withUnit(value: number, unit: string): string {
  if (!unit.startsWith('+')) return `${shown(value)} ${unit}`.trim();
  return `${value < 0 ? '' : '+'}${shown(value)} ${unit.slice(1)}`;
}

const altText = ({ heading, unit, bars }: Block): string =>
  `${heading}: ${bars.map(({ label, median }) => `${label} ${withUnit(median, unit)}`).join(', ')}`;
