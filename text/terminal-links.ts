// Limits the links (OSC 8) that xterm.js remembers: each letter of a link is compared with all lines of that
// link, and each line that scrolls away with all lines of all links.
import { internalsFor, type XtermLine, type XtermLink } from './xterm-internals.ts';

/** Maximum number of links; older ones lose their target but keep their text. */
const MOST_LINKS = 2000;
/** Maximum number of UTF-16 units in a link's name and address together; text with a longer link is not linked. */
const LINK_CHARS = 4096;
/** Maximum number of lines registered per link. */
const MOST_LINES = 500;

const NO_LINK = 0;

/** Limits the links of a terminal; call this once, before anything is written to it. */
export function limitLinks(terminal: object): void {
  const internals = internalsFor(terminal, 'links');
  if (!internals) return;
  const { _oscLinkService: links, _bufferService: buffers } = internals;
  const known = links['_dataByLinkId'];
  const named = links['_entriesWithId'];
  const register = links.registerLink.bind(links);
  const addLine = links.addLineToLink.bind(links);
  const dataOf = links.getLinkData.bind(links);
  let last: { readonly id: number; readonly entry: XtermLink } | null = null;
  let newest: { readonly id: number; readonly line: XtermLine | undefined } | null = null;
  links.registerLink = (data) => {
    if ((data.id?.length ?? 0) + data.uri.length > LINK_CHARS) return NO_LINK;
    const id = register(data);
    const registered = known.get(id);
    if (registered) last = { id, entry: registered };
    for (const [oldest, { lines }] of known) {
      if (known.size <= MOST_LINKS || oldest === id) break;
      for (const marker of lines.toReversed()) marker.dispose();
    }
    return id;
  };
  links.addLineToLink = (id, y) => {
    const line = buffers.buffer.lines.get(y);
    if (newest?.id === id && newest.line === line && known.has(id)) return;
    newest = { id, line };
    // The link may still be open although the lines that registered it were erased, so it is registered again.
    if (id === last?.id) {
      known.set(id, last.entry);
      if (last.entry.key !== undefined) named.set(last.entry.key, last.entry);
    }
    if ((known.get(id)?.lines.length ?? 0) < MOST_LINES) addLine(id, y);
  };
  links.getLinkData = (id) => dataOf(id) ?? (id === last?.id ? last.entry.data : undefined);
}
