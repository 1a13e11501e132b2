// Links in a terminal, written as an address or attached to a text (OSC 8): only web addresses, always with
// the target shown.
import { WebLinksAddon } from '@xterm/addon-web-links';
import type { ILinkHandler, Terminal } from '@xterm/xterm';
import { webAddress } from '../log/web-address.ts';

/** Opens a web address on Ctrl or Cmd + click; a plain click goes to the program or starts a selection. */
function open(event: MouseEvent, target: string): void {
  const address = webAddress(target);
  if (address !== null && (event.ctrlKey || event.metaKey))
    window.open(address, '_blank', 'noopener,noreferrer');
}

/** Adds link support; calls `pointedAt` with the hovered web address, and with null when the pointer leaves it. */
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
