// What a command is, and what it is told when it is asked for.
import type { ProcessInfo } from '../../protocol/console.ts';
import type { ConsoleParts } from '../parts/console-context.tsx';
import { layoutStore } from '../state/layout/layout-store.ts';
import type { RequestPlace } from '../state/approvals/request-view.ts';
import { processStore } from '../state/processes/process-store.ts';
import type { Armed } from './armed.ts';

/**
 * Where a key counts. `terminal`: everywhere, also in a terminal that has the keyboard; `field`: also in text fields;
 * `page`: outside of terminals and fields; `pane`: on a pane itself; `row`: on a row; `request`: on a request of an agent, in
 * its card, its row or its pane.
 */
export type KeyScope = 'terminal' | 'field' | 'page' | 'pane' | 'row' | 'request';

export interface Binding {
  /** `Mod+Shift+P`, `?`, or keys one after another: `g g`. `Mod` is Ctrl, on a Mac ⌘. */
  readonly keys: string;
  readonly scope: KeyScope;
}

export type CommandGroup = 'General' | 'List' | 'Panes' | 'Process' | 'Approvals';

/** The parts of a pane's menu, from the top: what is done most and harms least comes first, what ends a process last. */
export const MENU_PARTS = ['Process', 'Output', 'Panes', 'End'] as const;

export interface Command {
  readonly id: string;
  readonly title: string;
  /** What else people call it: the palette finds it by these too. */
  readonly words?: string;
  /** Whether it takes something from a process: it is found by whole beginnings of words alone, and comes after its equals. */
  readonly isDangerous?: boolean;
  readonly group: CommandGroup;
  readonly keys?: readonly Binding[];
  /** Whether it is of no use but by its keys, and so not in the palette. */
  readonly isOnlyKeys?: boolean;
  /** True for a command that repeats while its key is held down: it only moves something, and starts nothing. */
  readonly repeats?: true;
  /** Where a pane's menu has it, if it does. */
  readonly menu?: (typeof MENU_PARTS)[number];
  /** Whether there is anything that it could do now. */
  when(context: CommandContext): boolean;
  run(context: CommandContext): void;
  /** What the second press of its key would do, and to which processes; shown after the first. */
  again?(context: CommandContext): Pick<Armed, 'verb' | 'keys'>;
  /** What its keys say to a person who may not do it; null when there is nothing to do. */
  whyNot?(context: CommandContext): string | null;
}

export interface CommandContext extends ConsoleParts {
  /** The process that is meant: that of the row or miniature that has the focus, else that of the focused pane. */
  readonly subject: string | null;
  readonly isInList: boolean;
  /** Whether what is meant is a row, so that a single key may act on it. */
  readonly isOnRow: boolean;
  /** Whether the pane itself has the focus: the page has the keyboard, and the terminal in it has not. */
  readonly isOnPane: boolean;
  /** The request that has the focus, in whichever place. */
  readonly request: FocusedRequest | null;
}

export interface FocusedRequest {
  readonly id: string;
  /** Where the rest of a decision is made: that of a row in its card. */
  readonly place: RequestPlace;
  /** True when the focus is in the card itself, which keeps it. */
  readonly isInCard: boolean;
}

export function contextNow(parts: ConsoleParts): CommandContext {
  const element = document.activeElement;
  const row = element?.closest<HTMLElement>('[role="row"][data-process-key], [data-place="tile"]') ?? null;
  return {
    ...parts,
    subject: row?.dataset['processKey'] ?? layoutStore.getState().focused,
    isInList: element?.closest('[data-place="list"]') !== null,
    // A link or a button in a row has keys of its own.
    isOnRow: row !== null && row === element,
    isOnPane: element?.matches('[data-place="pane"]') ?? false,
    request: requestAt(element),
  };
}

function requestAt(element: Element | null): FocusedRequest | null {
  const card = element?.closest<HTMLElement>('[data-approval-id]')?.dataset['approvalId'];
  if (card !== undefined) return { id: card, place: 'card', isInCard: true };
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
