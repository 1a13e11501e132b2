// How much an xterm.js remembers of the links that a program prints (OSC 8). For every letter of a link it compares all
// lines of that link, and for every line that scrolls away all lines of all links.

/** Beyond them the oldest lead nowhere any more; their text stays. */
const MOST_LINKS = 2000;
/** Lines that keep one link known. */
const MOST_LINES = 500;

interface Marker {
  dispose(): void;
}

/** Link → the lines that keep it known. */
type Known = ReadonlyMap<number, { readonly lines: readonly Marker[] }>;

interface Links {
  registerLink(data: unknown): number;
  addLineToLink(id: number, y: number): void;
}

interface Core {
  readonly _oscLinkService: Links;
  readonly _bufferService: { readonly buffer: { readonly lines: { get(y: number): object | undefined } } };
}

/** Call once for each terminal, before anything is written to it. */
export function limitLinks(terminal: object): void {
  const { _oscLinkService: links, _bufferService: buffers } = Reflect.get(terminal, '_core') as Core;
  const known = Reflect.get(links, '_dataByLinkId') as Known;
  const register = links.registerLink.bind(links);
  const addLine = links.addLineToLink.bind(links);
  let newest: { readonly id: number; readonly line: object | undefined } | null = null;
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
