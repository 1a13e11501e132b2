// @vitest-environment happy-dom
// A key that is meant for a row acts on the right one, or says why it did nothing.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listView } from '../state/page/list-view.ts';
import { pageStore } from '../state/page/page-store.ts';
import { endMeasuring, listOrder, toggleBusiest } from '../state/processes/list-order.ts';
import { pressedStore } from './armed.ts';
import { listenForKeys } from './keymap.ts';

const rows = { step: () => true, selectAll: () => undefined, focus: () => undefined };
let stop: () => void;

const press = (key: string): void => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  // Only keys that a person presses count.
  Object.defineProperty(event, 'isTrusted', { value: true });
  (document.activeElement ?? document.body).dispatchEvent(event);
};
const problem = (): string | null => pageStore.getState().problem;

beforeEach(() => {
  document.body.innerHTML = '<div role="treegrid" tabindex="-1"></div>';
  // happy-dom has no reflection of this attribute.
  const grid = document.querySelector<HTMLElement>('div');
  if (grid) grid.role = 'treegrid';
  grid?.focus();
  listView.setState({ rows });
  pageStore.setState({ problem: null });
  stop = listenForKeys({} as Parameters<typeof listenForKeys>[0]);
});
afterEach(() => {
  stop();
  if (listOrder.getState().isBusiest) toggleBusiest();
});

it('A key that was pressed for the busiest row says so when the person went elsewhere before it was known', () => {
  toggleBusiest();
  press('x');
  expect(pressedStore.getState().waiting).toEqual(['x']);
  endMeasuring(false);
  expect(pressedStore.getState().waiting).toEqual([]);
  expect(problem()).toContain('x did nothing: you went elsewhere');
});

it('A key for a row says that no row has the focus, and other letters say nothing', () => {
  press('q');
  expect(problem()).toBeNull();
  press('x');
  expect(problem()).toContain('x did nothing: no row has the focus');
});

it('A key that is pressed while the page itself has the focus waits for the busiest row', () => {
  (document.activeElement as HTMLElement).blur();
  toggleBusiest();
  press('x');
  expect(pressedStore.getState().waiting).toEqual(['x']);
});
