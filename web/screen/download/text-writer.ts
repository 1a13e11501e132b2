// Lines as plain text or as a self-contained HTML page: no scripts, no external resources, all text escaped.
import { drawnColours, type Palette } from '../log/colours.ts';
import type { TextStyle } from '../log/text-style.ts';
import type { StyledLine } from './styled-line.ts';

interface LineWriter {
  head(): string;
  line(line: StyledLine, isFirst: boolean): string;
  tail(): string;
}

export const textWriter: LineWriter = {
  head: () => '',
  line: ({ text, from, continues }, isFirst) => {
    const words = from === 'page' ? `— ${text} —` : text;
    return isFirst || continues ? words : `\n${words}`;
  },
  tail: () => '\n',
};

interface Described {
  readonly title: string;
  /** Facts about the process in words, shown below the title. */
  readonly facts: string;
}

export function htmlWriter({ title, facts }: Described, palette: Palette): LineWriter {
  const { foreground, background } = palette;
  return {
    head: () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
body { margin: 0; padding: 24px; background: ${background}; color: ${foreground}; font: 13px/1.4 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
h1 { margin: 0; font-size: 15px; overflow-wrap: anywhere; }
header { margin-bottom: 16px; padding-bottom: 12px; border-bottom: 1px solid ${foreground}44; }
pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 8; }
.err:not([data-continues])::before { content: "\\258e "; color: #b7791f; }
.page { opacity: 0.7; }
</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<div>${escaped(facts)}</div>
</header>
<pre>`,
    line: (line, isFirst) => (isFirst || line.continues ? '' : '\n') + htmlLine(line, palette),
    tail: () => '\n</pre>\n</body>\n</html>\n',
  };
}

function htmlLine({ from, text, runs, continues }: StyledLine, palette: Palette): string {
  if (from === 'page') return `<span class="page">— ${escaped(text)} —</span>`;
  const html = runs
    .map(({ start, style }, at) => {
      const part = escaped(text.slice(start, runs[at + 1]?.start));
      const css = cssOf(style, palette);
      return css === '' ? part : `<span style="${css}">${part}</span>`;
    })
    .join('');
  if (from === 'stdout') return html;
  return `<span class="err"${continues ? ' data-continues' : ''}>${html}</span>`;
}

/** Returns CSS made only of colours and fixed words, so that no attribute contains program text. */
function cssOf(style: TextStyle, palette: Palette): string {
  const { colour, background } = drawnColours(style, palette);
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean).join(' ');
  return [
    colour !== null && `color:${colour}`,
    background !== null && `background:${background}`,
    style.bold && 'font-weight:700',
    style.italic && 'font-style:italic',
    lines !== '' && `text-decoration:${lines}`,
    style.isEscape && 'opacity:0.6',
  ]
    .filter(Boolean)
    .join(';');
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
