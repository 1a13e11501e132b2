// What the page shows beside its panes: the wall, a dialog, on a phone the list or the panes; and what it has to say.
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
  | 'settings'
  | 'share'
  | 'shareAll'
  | 'access'
  | 'approvals'
  | 'checkCommand'
  | 'record'
  | 'recordOfOne';

interface PageState {
  readonly dialog: PageDialog | null;
  /** The name of the saved command that the form of a new process begins with. */
  readonly saved: string | null;
  /** Another one each time: the browser says later that a dialog was closed, which may be asked for again by then. */
  readonly opening: number;
  readonly isWall: boolean;
  /** On a phone there is room for one of the two. */
  readonly phoneShows: 'list' | 'panes';
  /** What went wrong with something that was done away from any pane. */
  readonly problem: string | null;
  /** What has just been done, in a word; another `turn` each time. */
  readonly done: { readonly text: string; readonly turn: number } | null;
}

export const pageStore = createStore<PageState>(() => ({
  dialog: null,
  saved: null,
  opening: 0,
  isWall: false,
  phoneShows: 'list',
  problem: null,
  done: null,
}));

export const openDialog = (dialog: PageDialog, saved: string | null = null): void =>
  pageStore.setState(({ opening }) => ({ dialog, saved, opening: opening + 1 }));
export const closeDialog = (): void => pageStore.setState({ dialog: null });

/** The panes are what is looked at from now on. */
export const showPanes = (): void => pageStore.setState({ isWall: false, phoneShows: 'panes' });

export const showList = (): void => pageStore.setState({ phoneShows: 'list' });

/** Whether they are; a dialog before them makes no difference. */
export const arePanesShown = (
  { isWall, phoneShows }: Pick<PageState, 'isWall' | 'phoneShows'>,
  onPhone: boolean,
): boolean => !isWall && (!onPhone || phoneShows === 'panes');

export const toggleWall = (): void =>
  pageStore.setState(({ isWall }) => ({ isWall: !isWall, phoneShows: 'panes' }));

export const tellProblem = (problem: string | null): void => pageStore.setState({ problem });

export const tellDone = (text: string | null): void =>
  pageStore.setState(({ done }) => ({ done: text === null ? null : { text, turn: (done?.turn ?? 0) + 1 } }));
