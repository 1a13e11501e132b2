// @vitest-environment happy-dom
// The line above the rows offers the busiest order only while usage can be measured.
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { processStore } from '../../state/processes/process-store.ts';
import { toggleBusiest } from '../../state/processes/list-order.ts';
import { ListSummary } from './list-summary.tsx';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const place = document.createElement('div');
const root = createRoot(place);
const show = (isBusiest: boolean): Promise<void> =>
  act(async () =>
    root.render(
      <ListSummary
        total={2}
        counts={{ running: 2, waiting: 0, failed: 0, succeeded: 0, stopped: 0 } as never}
        finished={0}
        cleared={0}
        matching={null}
        isBusiest={isBusiest}
        onBusiest={() => undefined}
        onShowAll={() => undefined}
      />,
    ),
  );
const connect = (kind: string): Promise<void> =>
  act(async () => processStore.setState({ connection: { kind, role: 'operator' } as never }));
const button = (): HTMLButtonElement | null => place.querySelector('[aria-keyshortcuts="b"]');

afterEach(() => act(async () => toggleBusiest()));

it('While the gateway does not respond, the busiest order cannot be turned on, only off', async () => {
  await connect('online');
  await show(false);
  expect(button()?.disabled).toBe(false);
  await connect('silent');
  expect(button()).toMatchObject({ disabled: true, title: expect.stringContaining('does not respond') });
  await act(async () => toggleBusiest());
  await show(true);
  expect(place.querySelector('[role="status"]')?.textContent).toBe('CPU usage unavailable');
  expect(button()?.disabled).toBe(false);
  await connect('online');
  expect(place.querySelector('[role="status"]')?.textContent).toBe('Measuring CPU');
});
