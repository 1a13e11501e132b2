// View of processes without a tty, as a log or a terminal: the choice for each pane; the latest choice is
// stored per browser.
import { createStore } from 'zustand/vanilla';
import { readText, writeText } from './storage.ts';

export type PipeView = 'log' | 'terminal';

interface PipeViews {
  /** View for panes without a choice: the latest choice in this page, at first the one that the browser stores. */
  readonly usual: PipeView;
  readonly byKey: { readonly [key: string]: PipeView };
  /** Keys of the processes whose logs show only stderr. */
  readonly stderrOnly: { readonly [key: string]: true };
  readonly hasTimes: boolean;
  /** True when lines wider than the pane wrap. */
  readonly wraps: boolean;
}

const VIEW_KEY = 'exec-console.pipe-view';
const TIMES_KEY = 'exec-console.log-times';
const WRAP_KEY = 'exec-console.log-wrap';

export const pipeViewStore = createStore<PipeViews>(() => ({
  // A log is the default, since people read pipe output line by line.
  usual: readText(VIEW_KEY) === 'terminal' ? 'terminal' : 'log',
  byKey: {},
  stderrOnly: {},
  hasTimes: readText(TIMES_KEY) !== 'no',
  wraps: readText(WRAP_KEY) !== 'no',
}));

export const viewOf = ({ byKey, usual }: PipeViews, key: string): PipeView => byKey[key] ?? usual;

/** Changes the view of this pane, and of panes opened later; other open panes are not affected. */
export function showPipeAs(key: string, view: PipeView, openKeys: readonly string[]): void {
  writeText(VIEW_KEY, view);
  pipeViewStore.setState((state) => ({
    usual: view,
    byKey: {
      ...Object.fromEntries(openKeys.map((open) => [open, viewOf(state, open)])),
      [key]: view,
    },
  }));
}

/** Shows this pane as a log, as a link to a line requires; the view of other panes stays the same. */
export function showAsLog(key: string): void {
  pipeViewStore.setState(({ byKey }) => ({ byKey: { ...byKey, [key]: 'log' } }));
}

export function toggleStderrOnly(key: string): void {
  if (pipeViewStore.getState().stderrOnly[key]) showAllStreams(key);
  else pipeViewStore.setState(({ stderrOnly }) => ({ stderrOnly: { ...stderrOnly, [key]: true } }));
}

export function showAllStreams(key: string): void {
  pipeViewStore.setState((state) => {
    const { [key]: _, ...stderrOnly } = state.stderrOnly;
    return { stderrOnly };
  });
}

export function toggleTimes(): void {
  const hasTimes = !pipeViewStore.getState().hasTimes;
  writeText(TIMES_KEY, hasTimes ? 'yes' : 'no');
  pipeViewStore.setState({ hasTimes });
}

export function toggleWrap(): void {
  const wraps = !pipeViewStore.getState().wraps;
  writeText(WRAP_KEY, wraps ? 'yes' : 'no');
  pipeViewStore.setState({ wraps });
}
