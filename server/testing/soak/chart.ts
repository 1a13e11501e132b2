// The samples of a soak as a picture: one small chart for each measure, over time.
import { measuresFor, type Sample } from './verdict.ts';

const WIDTH = 720;
const HEIGHT = 110;
const LEFT = 150;
const RIGHT = 20;
/** More points than this nobody sees. */
const POINTS = 600;

export function chart(samples: readonly Sample[], title: string): string {
  const lengthMs = samples.at(-1)?.atMs ?? 1;
  const measures = measuresFor(lengthMs);
  const rows = measures.map(({ name, unit, of }, row) => {
    const values = thinned(samples.map((sample) => ({ at: sample.atMs / lengthMs, value: of(sample) })));
    const top = Math.max(...values.map(({ value }) => value)) * 1.1;
    const x = (at: number): string => (LEFT + at * (WIDTH - LEFT - RIGHT)).toFixed(1);
    const y = (value: number): string => (HEIGHT - 20 - (value / top) * (HEIGHT - 40)).toFixed(1);
    const line = values.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ');
    return `<g transform="translate(0 ${40 + row * HEIGHT})">
<text x="0" y="24" class="name">${name}</text>
<text x="0" y="42">0 to ${top.toPrecision(3)} ${unit}</text>
<line x1="${LEFT}" y1="${y(0)}" x2="${WIDTH - RIGHT}" y2="${y(0)}"/>
<polyline points="${line}"/>
</g>`;
  });
  const height = 70 + measures.length * HEIGHT;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<style>
text { font: 13px system-ui, sans-serif; fill: #57606a }
.name, .title { font-weight: 600; fill: #24292f }
line { stroke: #8c959f }
polyline { fill: none; stroke: #4449c8; stroke-width: 1.5 }
rect { fill: #ffffff }
</style>
<rect width="${WIDTH}" height="${height}"/>
<text x="0" y="20" class="title">${title}</text>
${rows.join('\n')}
<text x="${LEFT}" y="${height - 12}">0</text>
<text x="${WIDTH - RIGHT}" y="${height - 12}" text-anchor="end">${(lengthMs / 60_000).toFixed(1)} minutes</text>
</svg>
`;
}

function thinned<T>(values: readonly T[]): readonly T[] {
  const step = Math.max(1, Math.ceil(values.length / POINTS));
  return values.filter((_, at) => at % step === 0);
}
