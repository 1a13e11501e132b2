// Definition of a command, and of the context in which it runs.
import type { ProcessInfo } from '../../protocol/console.ts';
import type { ConsoleParts } from '../parts/console-context.tsx';
import { layoutStore } from '../state/layout/layout-store.ts';
import type { RequestPlace } from '../state/approvals/request-view.ts';
import { isRemoved, processStore } from '../state/processes/process-store.ts';
import type { Armed } from './armed.ts';

/**
 * Places in which a key works. `terminal`: everywhere, including a focused terminal; `field`: everywhere except in a
 * terminal whose program reads input; `page`: outside terminals, fields and menus; `pane`: on a pane itself; `row`:
 * on a row; `request`: on an agent's request, in its card, row or pane.
 */
export type KeyScope = 'terminal' | 'field' | 'page' | 'pane' | 'row' | 'request';

export interface Binding {
  /** Key such as `Mod+Shift+P` or `?`, or a sequence such as `g g`. `Mod` is Ctrl, or ⌘ on a Mac. */
  readonly keys: string;
  readonly scope: KeyScope;
}

export type CommandGroup = 'General' | 'List' | 'Panes' | 'Process' | 'Approvals';

/** Sections of a pane's menu, from the top: frequent, harmless commands first; commands that end a process last. */
export const MENU_PARTS = ['Process', 'Agent', 'Output', 'Save', 'Panes', 'End'] as const;

export interface Command {
  readonly id: string;
  readonly title: string;
  /** Limit of the command's effect that people must know; shown in the pane menu. */
  readonly hint?: string;
  /** Additional search words for the palette. */
  readonly words?: string;
  /**
   * True for a command that may harm a process: the palette matches it only by word beginnings, and ranks it below
   * equal matches.
   */
  readonly isDangerous?: boolean;
  readonly group: CommandGroup;
  readonly keys?: readonly Binding[];
  /** True for a command that is useful only as a shortcut and is therefore not in the palette. */
  readonly isOnlyKeys?: boolean;
  /** True for a command that repeats while its key is held down; it changes only the focus, selection or view. */
  readonly repeats?: true;
  /** Section of the pane menu that contains the command, if any. */
  readonly menu?: (typeof MENU_PARTS)[number];
  /** True while the option that the command toggles is on; absent for commands that toggle nothing. */
  isOn?(context: CommandContext): boolean;
  /** True when the command is available. */
  when(context: CommandContext): boolean;
  run(context: CommandContext): void;
  /** Effect of a second press of the command's key, with the processes affected; shown after the first press. */
  again?(context: CommandContext): Pick<Armed, 'verb' | 'keys'>;
  /** Reason why the command is unavailable, shown when its keys are pressed; null when there is nothing to explain. */
  whyNot?(context: CommandContext): string | null;
}

export interface CommandContext extends ConsoleParts {
  /** Key of the process that the command applies to: that of the focused row or tile, otherwise of the focused pane. */
  readonly subject: string | null;
  readonly isInList: boolean;
  /** True when a row or tile itself has the focus, so that single-key commands apply to it. */
  readonly isOnRow: boolean;
  /** True when the pane itself has the focus, so that keys go to the page rather than to the terminal in it. */
  readonly isOnPane: boolean;
  /** The request that has the focus, in a card, row or pane; null if none has. */
  readonly request: FocusedRequest | null;
}

export interface FocusedRequest {
  /** Id of the request; empty when the request that had the focus is gone. */
  readonly id: string;
  /** Place that shows the rule and the message field of the request; for a row, this is its card. */
  readonly place: RequestPlace;
  /** True when the focus is in the card itself; false on a row or in a pane. */
  readonly isInCard: boolean;
}

export function contextNow(parts: ConsoleParts): CommandContext {
  const element = document.activeElement;
  const row =
    element?.closest<HTMLElement>('[role="row"][data-process-key], [data-place="tile"], [data-home-key]') ??
    null;
  return {
    ...parts,
    subject: row?.dataset['processKey'] ?? row?.dataset['homeKey'] ?? layoutStore.getState().focused,
    isInList: element?.closest('[data-place="list"]') !== null,
    // Links and buttons in a row handle their own keys.
    isOnRow: row !== null && row === element,
    isOnPane: element?.matches('[data-place="pane"]') ?? false,
    request: requestAt(element),
  };
}

/** Returns where notes on a process appear: `tile` if a tile or a row of the table has the focus, otherwise `row`. */
export const rowPlace = ({
  isInList,
  isOnRow,
}: Pick<CommandContext, 'isInList' | 'isOnRow'>): 'row' | 'tile' => (isOnRow && !isInList ? 'tile' : 'row');

function requestAt(element: Element | null): FocusedRequest | null {
  const card = element?.closest<HTMLElement>('[data-approval-id]')?.dataset['approvalId'];
  if (card !== undefined) return { id: card, place: 'card', isInCard: true };
  if (element?.matches('[data-place="requests"]')) return { id: '', place: 'card', isInCard: true };
  const held = element?.closest<HTMLElement>('[data-process-status="waiting-for-approval"]');
  const key = held?.dataset['processKey'];
  if (!held || key === undefined) return null;
  if (held.dataset['place'] === 'pane') return { id: key, place: 'pane', isInCard: false };
  return held === element ? { id: key, place: 'card', isInCard: false } : null;
}

export const infoOf = ({ subject }: Pick<CommandContext, 'subject'>): ProcessInfo | undefined =>
  subject === null ? undefined : processStore.getState().processes[subject];

/** True for a process whose output the gateway may still have. */
export const hasOutput = ({ subject }: Pick<CommandContext, 'subject'>): boolean =>
  subject !== null && infoOf({ subject }) !== undefined && !isRemoved(processStore.getState(), subject);

export const inTerminal = (keys: string): Binding => ({ keys, scope: 'terminal' });
export const inField = (keys: string): Binding => ({ keys, scope: 'field' });
export const onPane = (keys: string): Binding => ({ keys, scope: 'pane' });
export const onPage = (keys: string): Binding => ({ keys, scope: 'page' });
export const onRow = (keys: string): Binding => ({ keys, scope: 'row' });
export const onRequest = (keys: string): Binding => ({ keys, scope: 'request' });
