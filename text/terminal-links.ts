// How much an xterm.js remembers of the links that a program prints (OSC 8). For every letter of a link it compares all
// lines of that link, and for every line that scrolls away all lines of all links.
import { internalsFor, type XtermLine } from './xterm-internals.ts';

/** Beyond them the oldest lead nowhere any more; their text stays. */
const MOST_LINKS = 2000;
/** Lines that keep one link known. */
const MOST_LINES = 500;

/** Call once for each terminal, before anything is written to it. */
export function limitLinks(terminal: object): void {
  const internals = internalsFor(terminal, 'links');
  if (!internals) return;
  const { _oscLinkService: links, _bufferService: buffers } = internals;
  const known = links['_dataByLinkId'];
  const register = links.registerLink.bind(links);
  const addLine = links.addLineToLink.bind(links);
  let newest: { readonly id: number; readonly line: XtermLine | undefined } | null = null;
  links.registerLink = (data) => {
    const id = register(data);
    for (const [oldest, { lines }] of known) {
      if (known.size <= MOST_LINKS || oldest === id) break;
      for (const marker of lines.toReversed()) marker.dispose();
    }
    return id;
  };
  links.addLineToLink = (id, y) => {
    const line = buffers.buffer.lines.get(y);
    if (newest?.id === id && newest.line === line) return;
    newest = { id, line };
    if ((known.get(id)?.lines.length ?? 0) < MOST_LINES) addLine(id, y);
  };
}
