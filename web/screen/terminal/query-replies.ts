// Only one party answers a terminal's queries: the controller, and only to live bytes. Everybody else swallows them.
import type { IDisposable, Terminal } from '@xterm/xterm';

/** Colours that a program may ask for; asking is told from setting by the question mark. */
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

/** Answering is a property of the bytes that are being parsed, so it is asked for at each query. */
export function answerQueriesOnlyIf(terminal: Terminal, answers: () => boolean): IDisposable[] {
  const swallow = (): boolean => !answers();
  const { parser } = terminal;
  return [
    ...QUERIES.map((query) => parser.registerCsiHandler(query, swallow)),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow),
    ...COLOUR_OSC.map((code) => parser.registerOscHandler(code, (data) => data.includes('?') && swallow())),
  ];
}

/** What a terminal says by itself, unasked and untyped: of the focus, the mouse, light or dark. */
export function isReport(data: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  return /^\u001b\[(?:[IO]|M[\s\S]{3}|<\d+;\d+;\d+[mM]|\?997;[12]n)$/.test(data);
}
