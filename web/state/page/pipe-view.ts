// How processes without a tty are shown: as a log or as a terminal, each pane as it was last chosen there; kept per browser.
import { createStore } from 'zustand/vanilla';
import { readText, writeText } from './storage.ts';

export type PipeView = 'log' | 'terminal';

interface PipeViews {
  /** For panes in which nothing was chosen: the newest choice in any of them. */
  readonly usual: PipeView;
  readonly byKey: { readonly [key: string]: PipeView };
  /** Logs that show nothing but stderr. */
  readonly stderrOnly: { readonly [key: string]: true };
  readonly hasTimes: boolean;
  /** Lines that are longer than the pane is wide. */
  readonly wraps: boolean;
}

const VIEW_KEY = 'exec-console.pipe-view';
const TIMES_KEY = 'exec-console.log-times';
const WRAP_KEY = 'exec-console.log-wrap';

export const pipeViewStore = createStore<PipeViews>(() => ({
  // Wrapped lines, each told from the next, is what pipes are read for.
  usual: readText(VIEW_KEY) === 'terminal' ? 'terminal' : 'log',
  byKey: {},
  stderrOnly: {},
  hasTimes: readText(TIMES_KEY) !== 'no',
  wraps: readText(WRAP_KEY) !== 'no',
}));

export const viewOf = ({ byKey, usual }: PipeViews, key: string): PipeView => byKey[key] ?? usual;

/** Other panes stay as they are. */
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

/** For who follows a link to a line. */
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
