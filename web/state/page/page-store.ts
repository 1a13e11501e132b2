// Page state besides the panes: the wall, dialogs, the visible part on a phone, and messages.
import { createStore } from 'zustand/vanilla';

export type PageDialog =
  | 'newProcess'
  | 'startLike'
  | 'about'
  | 'palette'
  | 'splitRight'
  | 'splitBelow'
  | 'help'
  | 'layouts'
  | 'search'
  | 'history'
  | 'away'
  | 'settings'
  | 'share'
  | 'shareAll'
  | 'access'
  | 'connect'
  | 'approvals'
  | 'checkCommand'
  | 'record'
  | 'recordOfOne'
  | 'goToLine';

interface PageState {
  readonly dialog: PageDialog | null;
  /** Name of the saved command that prefills the form for a new process. */
  readonly saved: string | null;
  /**
   * Number of dialogs opened so far. Each opening gets a new element, since the browser reports a close late, when the
   * dialog may be open again.
   */
  readonly opening: number;
  readonly isWall: boolean;
  /** Visible part on a phone, which has room for only one. */
  readonly phoneShows: 'list' | 'panes';
  /** Message about a failed action that no pane shows; null when there is none. */
  readonly problem: string | null;
  /** Counter that changes with each problem, so that a repeated one is announced and timed anew. */
  readonly problemTurn: number;
  /** True while the open dialog shows the problem and the confirmation, so that the page does not. */
  readonly hasDialogNotices: boolean;
  /** Confirmation of the last action; `turn` differs from that of the confirmation that it replaces. */
  readonly done: { readonly text: string; readonly turn: number } | null;
}

export const pageStore = createStore<PageState>(() => ({
  dialog: null,
  saved: null,
  opening: 0,
  isWall: false,
  phoneShows: 'list',
  problem: null,
  problemTurn: 0,
  hasDialogNotices: false,
  done: null,
}));

export const openDialog = (dialog: PageDialog, saved: string | null = null): void =>
  pageStore.setState(({ opening }) => ({ dialog, saved, opening: opening + 1 }));
export const closeDialog = (): void => pageStore.setState({ dialog: null });

/** Shows the panes instead of the wall or, on a phone, the list. */
export const showPanes = (): void => pageStore.setState({ isWall: false, phoneShows: 'panes' });

export const showList = (): void => pageStore.setState({ phoneShows: 'list' });

/** Returns true when the panes are visible, possibly below a dialog. */
export const arePanesShown = (
  { isWall, phoneShows }: Pick<PageState, 'isWall' | 'phoneShows'>,
  onPhone: boolean,
): boolean => !isWall && (!onPhone || phoneShows === 'panes');

export const toggleWall = (): void =>
  pageStore.setState(({ isWall }) => ({ isWall: !isWall, phoneShows: 'panes' }));

export const showProblem = (problem: string | null): void =>
  pageStore.setState(({ problemTurn }) => ({ problem, problemTurn: problemTurn + 1 }));

export const showDone = (text: string | null): void =>
  pageStore.setState(({ done }) => ({ done: text === null ? null : { text, turn: (done?.turn ?? 0) + 1 } }));
