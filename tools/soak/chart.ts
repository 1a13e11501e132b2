// Charts the samples of a soak: one small chart per measure, over time.
import { MARGIN, picture, place, text, WIDTH } from '../../server/testing/picture.ts';
import { measuresFor, type Sample } from './verdict.ts';

const ROW = 104;
const LEFT = 160;
const RIGHT = WIDTH - 2 * MARGIN;
/** Maximum number of points per curve; more would not be visible. */
const POINTS = 600;

export function chart(samples: readonly Sample[], minutes: string): string {
  const lengthMs = samples.at(-1)?.atMs ?? 1;
  const measures = measuresFor(lengthMs);
  const shown = measures.map(({ name, unit, of }, row) => {
    const values = thinned(samples.map((sample) => ({ at: sample.atMs / lengthMs, value: of(sample) })));
    const highest = Math.max(...values.map(({ value }) => value));
    const foot = (row + 1) * ROW - 16;
    const x = (at: number): string => place(LEFT + at * (RIGHT - LEFT));
    const y = (value: number): string => place(foot - (value / (highest * 1.1)) * (ROW - 30));
    const points = values.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ');
    const most = `at most ${highest.toPrecision(3)} ${unit}`.trim();
    const svg = [
      text(0, foot - ROW / 2 + 4, name, 'name'),
      text(0, foot - ROW / 2 + 24, most),
      `<line class="rule" x1="${LEFT}" y1="${foot}" x2="${RIGHT}" y2="${foot}"/>`,
      `<polyline class="curve" points="${points}"/>`,
    ];
    return { svg, summary: `${name}: ${most}` };
  });
  const height = measures.length * ROW + 16;
  const time = [text(LEFT, height - 6, '0'), text(RIGHT, height - 6, `${minutes} minutes`, null, 'end')];
  return picture({
    title: `A gateway under mixed load for ${minutes} minutes`,
    subtitle: 'each from zero, over time; flat is good',
    description: shown.map(({ summary }) => summary).join('. '),
    height,
    body: [...shown.flatMap(({ svg }) => svg), ...time].join('\n'),
  });
}

function thinned<T>(values: readonly T[]): readonly T[] {
  const step = Math.max(1, Math.ceil(values.length / POINTS));
  return values.filter((_, at) => at % step === 0);
}
