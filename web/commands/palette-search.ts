// What the palette offers for what has been typed: commands and processes, the likeliest first.
import fuzzysort from 'fuzzysort';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { shortCommand, visible } from '../processes/command-line.ts';
import { inOrder } from '../processes/process-order.ts';
import { statusText } from '../processes/process-status.ts';
import type { Command } from './command.ts';

export interface PaletteItem {
  readonly id: string;
  readonly text: string;
  readonly does:
    | { readonly kind: 'command'; readonly command: Command }
    | { readonly kind: 'process'; readonly info: ProcessInfo };
  readonly hint: string;
}

export interface Offered {
  readonly item: PaletteItem;
  /** Which letters of the text were typed. */
  readonly indexes: readonly number[];
}

/** More are not looked at: who does not find it among these types another letter. */
export const MOST_OFFERED = 60;
/** Processes to choose from while nothing has been typed. */
const PROCESSES_AT_FIRST = 20;
/** Longer ones are cut, since matching takes time for every letter. */
const LONGEST_TEXT = 300;
/** So much likelier is what was used before. */
const RECENT_BONUS = 0.1;

export function paletteItems(
  commands: readonly Command[],
  processes: readonly ProcessInfo[],
  recent: readonly string[],
): readonly PaletteItem[] {
  const rank = ({ id }: Command): number => {
    const at = recent.indexOf(id);
    return at < 0 ? recent.length : at;
  };
  return [
    ...commands
      .toSorted((a, b) => rank(a) - rank(b))
      .map((command) => ({
        id: command.id,
        text: command.title,
        does: { kind: 'command', command } as const,
        hint: recent.includes(command.id) ? 'recently used' : command.group,
      })),
    ...inOrder(processes, new Set()).map((info) => ({
      id: `process-${info.key}`,
      text: `${info.label === null ? '' : `${visible(info.label)} `}${shortCommand(info.argv)}`.slice(
        0,
        LONGEST_TEXT,
      ),
      does: { kind: 'process', info } as const,
      hint: statusText(info),
    })),
  ];
}

export function offered(
  items: readonly PaletteItem[],
  typed: string,
  recent: readonly string[],
): readonly Offered[] {
  if (typed.trim() === '') {
    const commands = items.filter(({ does }) => does.kind === 'command');
    const processes = items.filter(({ does }) => does.kind === 'process').slice(0, PROCESSES_AT_FIRST);
    return [...commands, ...processes].map((item) => ({ item, indexes: [] }));
  }
  const found = fuzzysort.go(typed.trim(), items, {
    key: ({ text }: PaletteItem) => text,
    limit: MOST_OFFERED,
    threshold: 0.3,
    scoreFn: (result) => result.score + (recent.includes(result.obj.id) ? RECENT_BONUS : 0),
  });
  return found.map(({ obj, indexes }) => ({ item: obj, indexes }));
}
