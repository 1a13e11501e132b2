// Pictures for the documents: SVG with a text description, readable on light and dark pages.

export const WIDTH = 760;
export const MARGIN = 24;
const HEAD = 64;

interface Picture {
  readonly title: string;
  readonly subtitle: string;
  /** Text alternative, which describes everything in the picture. */
  readonly description: string;
  /** Height of the part below the title. */
  readonly height: number;
  /** SVG content, which begins at 0, 0; its width is WIDTH without the margins. */
  readonly body: string;
}

export function picture({ title, subtitle, description, height, body }: Picture): string {
  const whole = HEAD + height + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${whole}" role="img" aria-labelledby="title description">
<title id="title">${escaped(title)}</title>
<desc id="description">${escaped(description)}</desc>
<style>
svg { --paper: #ffffff; --ink: #16181d; --dim: #545a68; --rule: #cdd1da; --first: #3f4bc4; --other: #8d93a1 }
@media (prefers-color-scheme: dark) {
  svg { --paper: #131418; --ink: #e8e9ed; --dim: #a0a4b0; --rule: #343743; --first: #8b9bff; --other: #777d8d }
}
text { font: 13px Inter, system-ui, sans-serif; fill: var(--dim); font-variant-numeric: tabular-nums }
.name { font-weight: 600; fill: var(--ink) }
.title { font-size: 17px; font-weight: 650; fill: var(--ink) }
.rule { stroke: var(--rule) }
.range { stroke: var(--ink); stroke-width: 1.5; opacity: 0.65 }
.first { fill: var(--first) }
.other { fill: var(--other) }
.curve { fill: none; stroke: var(--first); stroke-width: 1.5; stroke-linejoin: round }
.paper { fill: var(--paper); stroke: var(--rule) }
</style>
<rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${whole - 1}" rx="10"/>
${text(MARGIN, 34, title, 'title')}
${text(MARGIN, 54, subtitle)}
<g transform="translate(${MARGIN} ${HEAD})">
${body}
</g>
</svg>
`;
}

export function text(
  x: number,
  y: number,
  content: string,
  kind: 'title' | 'name' | null = null,
  anchor: 'start' | 'end' = 'start',
): string {
  const kindly = kind === null ? '' : ` class="${kind}"`;
  const anchored = anchor === 'end' ? ' text-anchor="end"' : '';
  return `<text x="${place(x)}" y="${place(y)}"${kindly}${anchored}>${escaped(content)}</text>`;
}

/** Formats a coordinate, rounded to a tenth of a pixel. */
export const place = (value: number): string => String(Number(value.toFixed(1)));

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
