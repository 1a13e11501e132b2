// Widths by grapheme clusters, by the same table as the page's terminals.
import { createRequire } from 'node:module';
import type { ITerminalAddon, Terminal } from '@xterm/headless';

/** The addon takes its table to begin where the memory behind it does, which is not so in Node's shared pool. */
function loadUnpooled(name: string): unknown {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    return createRequire(import.meta.url)(name);
  } finally {
    Buffer.poolSize = poolSize;
  }
}

const { UnicodeGraphemesAddon } = loadUnpooled('@xterm/addon-unicode-graphemes') as {
  readonly UnicodeGraphemesAddon: new () => ITerminalAddon;
};

export function measureByGraphemes(terminal: Terminal): void {
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.unicode.activeVersion = '15-graphemes';
}
