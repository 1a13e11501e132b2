// Replies to a program's queries: only the controlling page sends them, and only for live bytes; other pages drop the
// queries.
import type { IDisposable, Terminal } from '@xterm/xterm';

/** Commands by which a program reads or sets colours; a question mark requests the current value. */
const COLOUR_OSC = [4, 10, 11, 12];

const QUERIES = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { final: 'x' },
  { final: 't' },
  { prefix: '>', final: 'q' },
  { prefix: '?', final: 'u' },
  { prefix: '?', final: 'm' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
];

/**
 * Answers a query only if `answers` returns true; it is called for each query, since the result depends on the bytes
 * being parsed.
 */
export function answerQueriesOnlyIf(terminal: Terminal, answers: () => boolean): IDisposable[] {
  const swallow = (): boolean => !answers();
  const { parser } = terminal;
  return [
    ...QUERIES.map((query) => parser.registerCsiHandler(query, swallow)),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow),
    ...COLOUR_OSC.map((code) => parser.registerOscHandler(code, (data) => data.includes('?') && swallow())),
  ];
}

/** Returns true for a report that a terminal sends by itself: focus, mouse, or colour scheme. */
export function isReport(data: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  return /^\u001b\[(?:[IO]|M[\s\S]{3}|<\d+;\d+;\d+[mM]|\?997;[12]n)$/.test(data);
}
