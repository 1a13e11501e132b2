// Links in a terminal, written out or hidden behind a text (OSC 8): only to the web, and never without saying where to.
import { WebLinksAddon } from '@xterm/addon-web-links';
import type { ILinkHandler, Terminal } from '@xterm/xterm';
import { webAddress } from '../log/web-address.ts';

/** Ctrl or Cmd and a click opens: a plain one is the program's, or begins a selection. */
function open(event: MouseEvent, target: string): void {
  const address = webAddress(target);
  if (address !== null && (event.ctrlKey || event.metaKey))
    window.open(address, '_blank', 'noopener,noreferrer');
}

/** `pointedAt`: the address under the pointer, or null. */
export function offerLinks(terminal: Terminal, pointedAt: (address: string | null) => void): void {
  const hidden: ILinkHandler = {
    activate: open,
    hover: (_event, target) => pointedAt(webAddress(target)),
    leave: () => pointedAt(null),
  };
  terminal.options.linkHandler = hidden;
  terminal.loadAddon(
    new WebLinksAddon(open, {
      hover: (_event, target) => pointedAt(webAddress(target)),
      leave: () => pointedAt(null),
    }),
  );
}
