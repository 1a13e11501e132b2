// @vitest-environment happy-dom
// Effect of "stderr only" on a log, as shown in its pane.
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pipeViewStore, toggleStderrOnly } from '../../state/page/pipe-view.ts';
import { processStore, setTerminalState } from '../../state/processes/process-store.ts';
import { NOTHING_YET, type HiddenLines } from '../../state/processes/terminal-state.ts';
import { HiddenLinesBar, NoLineShown } from './hidden-lines.tsx';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

let element: HTMLElement;
let root: Root;
const hide = (hidden: HiddenLines | null): Promise<void> =>
  act(async () => setTerminalState('a', { ...NOTHING_YET, hidden }));

beforeEach(async () => {
  element = document.body.appendChild(document.createElement('div'));
  root = createRoot(element);
  await act(async () =>
    root.render(
      <>
        <HiddenLinesBar processKey="a" />
        <NoLineShown processKey="a" />
      </>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  element.remove();
  processStore.setState({ terminals: {} });
});

it('A log without a filter shows no bar', async () => {
  await hide(null);
  expect(element.textContent).toBe('');
});

it('A log in which the filter leaves lines shows how many it hides', async () => {
  await hide({ lines: 1234, isAll: false });
  expect(element.textContent).toBe('Only stderr is shown · 1,234 lines hiddenShow all lines');
});

it('A log reports that its filter covers only the newest lines, even when it leaves none', async () => {
  await hide({ lines: 1234, isAll: false, isPartial: true });
  expect(element.textContent).toBe(
    'Only stderr of the newest lines is shown · 1,234 lines hiddenShow all lines',
  );
  await hide({ lines: 1234, isAll: true, isPartial: true });
  expect(element.textContent).toBe(
    'Nothing on stderr in the newest 1,234 lines; earlier lines are recorded, but not shown with this filter. Show all lines',
  );
});

it('A log in which the filter leaves nothing reports that, and its button shows all lines', async () => {
  toggleStderrOnly('a');
  await hide({ lines: 1, isAll: true });
  expect(element.textContent).toBe('Nothing on stderr, 1 line hidden. Show all lines');
  await act(async () => element.querySelector('button')?.click());
  expect(pipeViewStore.getState().stderrOnly).toEqual({});
});
