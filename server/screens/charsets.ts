// Character sets that a program has designated as G0 to G3, and the sequences that designate them.
import type { Terminal } from '@xterm/headless';

/**
 * Sequence that designates the set of each slot, up to the highest one designated since the last reset; an absent
 * sequence means ASCII.
 */
export type Designated = readonly (string | undefined)[];

/** Intermediate byte → the slot that it designates. xterm.js ignores `/`, which would designate G3. */
const SLOTS: ReadonlyMap<string, number> = new Map([
  ['(', 0],
  [')', 1],
  ['*', 2],
  ['+', 3],
  ['-', 1],
  ['.', 2],
]);
const SETS = '0AB4C5RQKYE6ZH7='.split('');
const ASCII = ['\u001b(B', '\u001b)B', '\u001b*B', '\u001b+B'];
/** Sequence that selects each slot: SI, SO, LS2, LS3. */
const SHIFTS = ['\u000f', '\u000e', '\u001bn', '\u001bo'];

export class Charsets {
  designated: Designated = [];

  constructor({ parser }: Terminal) {
    const esc = (intermediates: string, final: string, slot: number, sequence: string | undefined): void => {
      parser.registerEscHandler({ intermediates, final }, () => {
        this.designated = Object.assign([...this.designated], { [slot]: sequence });
        return false;
      });
    };
    for (const [intermediate, slot] of SLOTS) {
      for (const set of SETS) esc(intermediate, set, slot, `\u001b${intermediate}${set}`);
    }
    for (const final of ['@', 'G']) esc('%', final, 0, undefined);
  }

  reset(): void {
    this.designated = [];
  }
}

/** Returns the sequence that designates the sets and selects slot `level`. */
export function charsetsSequence(designated: Designated, level: number): string {
  const sets = Array.from(designated, (sequence, slot) => sequence ?? ASCII[slot]);
  return `${sets.join('')}${level === 0 ? '' : SHIFTS[level]}`;
}

/** Returns the sequence that undoes `charsetsSequence`. */
export function asciiSequence(designated: Designated, level: number): string {
  return `${ASCII.slice(0, designated.length).join('')}${level === 0 ? '' : SHIFTS[0]}`;
}
