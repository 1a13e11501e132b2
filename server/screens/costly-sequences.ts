// Control sequences whose cost depends on the size of the screen and not on their own length. A turn whose
// time has run out ends before such a sequence, because a few bytes could otherwise take minutes.
import type { Terminal } from '@xterm/headless';
import type { Turn } from './drawing-turns.ts';

const CSI = [
  // Erase, including selective erase.
  { final: 'J' },
  { prefix: '?', final: 'J' },
  { final: 'K' },
  { prefix: '?', final: 'K' },
  { final: 'X' },
  // Scroll, insert and delete lines and columns.
  { final: 'S' },
  { final: 'T' },
  { final: '^' },
  { final: 'L' },
  { final: 'M' },
  { intermediates: ' ', final: '@' },
  { intermediates: ' ', final: 'A' },
  { intermediates: "'", final: '}' },
  { intermediates: "'", final: '~' },
  // Insert, delete and repeat characters, and move between tab stops.
  { final: '@' },
  { final: 'P' },
  { final: 'b' },
  { final: 'I' },
  { final: 'Z' },
  // Set and reset private modes, which can switch the screen.
  { prefix: '?', final: 'h' },
  { prefix: '?', final: 'l' },
] as const;

const ESC = [
  // Reset, and DECALN, which fills the screen.
  { final: 'c' },
  { intermediates: '#', final: '8' },
  // Line feeds and reverse line feeds, which scroll.
  { final: 'D' },
  { final: 'E' },
  { final: 'M' },
] as const;

/**
 * Registers handlers that may end a turn; call it once for each terminal, after all other handlers are registered,
 * because the last one is called first.
 */
export function takeTurns({ parser }: Terminal, turn: Turn): void {
  // The types of xterm.js do not declare that a handler may be asynchronous.
  const wait = ((): boolean | Promise<boolean> =>
    turn.isOver && turn.again().then(() => false)) as () => boolean;
  for (const id of CSI) parser.registerCsiHandler(id, wait);
  for (const id of ESC) parser.registerEscHandler(id, wait);
}
