// A command, and the context in which it is asked for.
import type { ProcessInfo } from '../../protocol/console.ts';
import type { ConsoleParts } from '../parts/console-context.tsx';
import { layoutStore } from '../state/layout/layout-store.ts';
import type { RequestPlace } from '../state/approvals/request-view.ts';
import { processStore } from '../state/processes/process-store.ts';
import type { Armed } from './armed.ts';

/**
 * Places in which a key counts. `terminal`: everywhere, also in a terminal that has the keyboard; `field`: also in text
 * fields; `page`: outside of terminals and fields; `pane`: on a pane itself; `row`: on a row; `request`: on a request
 * of an agent, in its card, its row or its pane.
 */
export type KeyScope = 'terminal' | 'field' | 'page' | 'pane' | 'row' | 'request';

export interface Binding {
  /** Keys as `Mod+Shift+P`, `?`, or one after another: `g g`. `Mod` is Ctrl, on a Mac ⌘. */
  readonly keys: string;
  readonly scope: KeyScope;
}

export type CommandGroup = 'General' | 'List' | 'Panes' | 'Process' | 'Approvals';

/**
 * Parts of a pane's menu, from the top: the most frequent and harmless commands come first, those that end a process
 * last.
 */
export const MENU_PARTS = ['Process', 'Agent', 'Output', 'Save', 'Panes', 'End'] as const;

export interface Command {
  readonly id: string;
  readonly title: string;
  /** Further words by which the palette finds it. */
  readonly words?: string;
  /**
   * True for a command that takes something from a process: the palette finds it only by beginnings of words, and after
   * its equals.
   */
  readonly isDangerous?: boolean;
  readonly group: CommandGroup;
  readonly keys?: readonly Binding[];
  /** True for a command that is useful only by its keys, and so is not in the palette. */
  readonly isOnlyKeys?: boolean;
  /** True for a command that repeats while its key is held down: it only moves something, and starts nothing. */
  readonly repeats?: true;
  /** Part of a pane's menu that has it, if any. */
  readonly menu?: (typeof MENU_PARTS)[number];
  /** True while what it switches is on; absent for a command that switches nothing. */
  isOn?(context: CommandContext): boolean;
  /** True when it can do something now. */
  when(context: CommandContext): boolean;
  run(context: CommandContext): void;
  /** Effect of the second press of its key, and the processes affected; shown after the first press. */
  again?(context: CommandContext): Pick<Armed, 'verb' | 'keys'>;
  /** Explanation for a person who presses its keys and may not do it; null when there is nothing to do. */
  whyNot?(context: CommandContext): string | null;
}

export interface CommandContext extends ConsoleParts {
  /** Key of the process that is meant: of the row or miniature that has the focus, otherwise of the focused pane. */
  readonly subject: string | null;
  readonly isInList: boolean;
  /** True when the focus is on a row, so that a single key may act on it. */
  readonly isOnRow: boolean;
  /** True when the pane itself has the focus: the keyboard belongs to the page, and not to the terminal in it. */
  readonly isOnPane: boolean;
  /** The request that has the focus, in any place. */
  readonly request: FocusedRequest | null;
}

export interface FocusedRequest {
  /** Empty when the request that had the focus has gone. */
  readonly id: string;
  /** Place in which a decision is completed: a row's is completed in its card. */
  readonly place: RequestPlace;
  /** True when the focus is in the card itself, which keeps it. */
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
    // Links and buttons in a row have keys of their own.
    isOnRow: row !== null && row === element,
    isOnPane: element?.matches('[data-place="pane"]') ?? false,
    request: requestAt(element),
  };
}

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

export const inTerminal = (keys: string): Binding => ({ keys, scope: 'terminal' });
export const inField = (keys: string): Binding => ({ keys, scope: 'field' });
export const onPane = (keys: string): Binding => ({ keys, scope: 'pane' });
export const onPage = (keys: string): Binding => ({ keys, scope: 'page' });
export const onRow = (keys: string): Binding => ({ keys, scope: 'row' });
export const onRequest = (keys: string): Binding => ({ keys, scope: 'request' });
