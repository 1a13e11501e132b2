// @vitest-environment happy-dom
// A key acts on the right row, or the page explains why it did nothing.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listView } from '../state/page/list-view.ts';
import { layoutStore } from '../state/layout/layout-store.ts';
import { pageStore } from '../state/page/page-store.ts';
import { processStore } from '../state/processes/process-store.ts';
import { processInfo } from '../../protocol/testing/process-info.ts';
import { endMeasuring, listOrder, toggleBusiest } from '../state/processes/list-order.ts';
import { pressedStore } from './armed.ts';
import { listenForKeys } from './keymap.ts';

const rows = { step: () => true, selectAll: () => undefined, focus: () => undefined };
const request = vi.fn(() => Promise.resolve({}));
let stop: () => void;

/** Presses a key at `atMs` on the page's clock. */
const press = (key: string, atMs = performance.now()): void => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: atMs });
  // The listener ignores untrusted events.
  Object.defineProperty(event, 'isTrusted', { value: true });
  (document.activeElement ?? document.body).dispatchEvent(event);
};
const problem = (): string | null => pageStore.getState().problem;

beforeEach(() => {
  document.body.innerHTML = '<div role="treegrid" tabindex="-1"></div>';
  // happy-dom does not reflect the attribute `role` as a property.
  const grid = document.querySelector<HTMLElement>('div');
  if (grid) grid.role = 'treegrid';
  grid?.focus();
  listView.setState({ rows });
  pageStore.setState({ problem: null });
  stop = listenForKeys({ client: { connection: { request } } } as unknown as Parameters<
    typeof listenForKeys
  >[0]);
});
afterEach(() => {
  stop();
  if (listOrder.getState().isBusiest) toggleBusiest();
});

it('A key for the busiest row reports that it did nothing when the focus moved before that row was known', () => {
  toggleBusiest();
  press('x');
  expect(pressedStore.getState().waiting).toEqual(['x']);
  endMeasuring(false);
  expect(pressedStore.getState().waiting).toEqual([]);
  expect(problem()).toContain('x did nothing: the focus moved');
});

it('A key for a row reports that no row has the focus, and other letters report nothing', () => {
  press('q');
  expect(problem()).toBeNull();
  press('x');
  expect(problem()).toContain('x did nothing: no row is focused');
});

describe('A row key pressed in the log of a pane', () => {
  const focusLog = (inPane: string): void => {
    processStore.setState({
      connection: { kind: 'online', role: 'operator' } as never,
      processes: { a: processInfo({ startedAtMs: Date.now() }) },
    });
    layoutStore.setState({ focused: 'a' });
    document.body.innerHTML = `<section data-place="pane" data-process-key="a">${inPane}</section>`;
    document.querySelector<HTMLElement>('[aria-label]')?.focus();
  };

  it('reports where it works if the row of that process would accept it', () => {
    focusLog('<div aria-label="Log" tabindex="0"></div>');
    press('r');
    press('q');
    expect(problem()).toBeNull();
    press('i');
    expect(problem()).toBe(
      'i did nothing: it acts on a row of the list, not in a log. Press Ctrl+Shift+L to go to the list.',
    );
  });

  it('reports nothing in a replay, which has its own keys', () => {
    focusLog('<div data-replay-state="paused"><div aria-label="Log" tabindex="0"></div></div>');
    press('i');
    expect(problem()).toBeNull();
  });
});

it('A key that is pressed while the page itself has the focus waits for the busiest row', () => {
  (document.activeElement as HTMLElement).blur();
  toggleBusiest();
  press('x');
  expect(pressedStore.getState().waiting).toEqual(['x']);
});

it('A second press counts while the first one is armed, even if it was handled late', () => {
  processStore.setState({
    connection: { kind: 'online', role: 'operator' } as never,
    processes: { a: processInfo({ startedAtMs: Date.now() }) },
  });
  const row = document.createElement('div');
  Object.assign(row, { tabIndex: 0, role: 'row' });
  row.setAttribute('role', 'row');
  row.dataset['processKey'] = 'a';
  document.querySelector('div')?.append(row);
  row.focus();
  const shownAtMs = performance.now();
  press('x', shownAtMs - 1900);
  expect(pressedStore.getState().armed).toMatchObject({ verb: 'terminate', keys: ['a'] });
  press('x', shownAtMs + 2900);
  expect(pressedStore.getState().armed).toBeNull();
  expect(request).toHaveBeenCalledExactlyOnceWith('process/terminate', { key: 'a' });
});
