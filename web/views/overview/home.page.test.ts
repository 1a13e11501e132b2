// Table of all processes, shown while no pane is open.
import { it, vi } from 'vitest';
import type { ProcessUsage } from '../../../protocol/looks.ts';
import { expect, newPage, sh, type TestPage } from '../../testing/page.ts';

const SLEEP = sh('sleep 1000');

const table = (page: TestPage) => page.getByRole('grid', { name: 'All processes' });
const row = (page: TestPage, key: string) => page.locator(`[data-home-key="${key}"]`);
const keys = (page: TestPage): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-home-key]')]
    .toSorted((one, other) => Number.parseFloat(one.style.top) - Number.parseFloat(other.style.top))
    .map(({ dataset }) => dataset['homeKey'] ?? '')
    .filter((key) => page.gateway.processes.has(key));

it('the table shows the facts of each process, can be sorted by its columns, and opens clicked processes', async () => {
  const page = await newPage().load();
  await expect(page.getByRole('heading', { name: 'Nothing is running yet' })).toBeVisible();
  const zebra = page.agent.start(['zebra'], { cwd: '/srv/a' });
  const failed = page.agent.start(['apple'], { cwd: '/srv/c' });
  failed.prints('it broke\n');
  failed.ends(3);
  const label = page.agent.start(SLEEP, { cwd: '/srv/b', label: 'middle' });
  await expect(row(page, failed.key)).toContainText('failed · exit 3');
  await expect(row(page, failed.key)).toContainText('it broke');
  await expect(row(page, failed.key)).toContainText('/srv/c');
  await expect(row(page, label.key)).toContainText('middle');
  await expect.poll(() => keys(page)).toEqual([failed.key, label.key, zebra.key]);

  await table(page).getByRole('button', { name: 'Command' }).click();
  await expect(table(page).getByRole('columnheader', { name: 'Command' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect.poll(() => keys(page)).toEqual([failed.key, label.key, zebra.key]);
  await table(page).getByRole('button', { name: 'Command' }).click();
  await expect.poll(() => keys(page)).toEqual([zebra.key, label.key, failed.key]);
  await table(page).getByRole('button', { name: 'Folder' }).click();
  await expect.poll(() => keys(page)).toEqual([zebra.key, label.key, failed.key]);
  await page.reload();
  await expect.poll(() => keys(page)).toEqual([zebra.key, label.key, failed.key]);

  await row(page, label.key).click();
  await expect(page.pane(label.key)).toBeVisible();
  await expect(table(page)).toHaveCount(0);
});

it('the table of processes is navigated with the arrow keys, and Enter opens a process', async () => {
  const page = await newPage().load();
  const one = page.agent.start(['one']);
  const two = page.agent.start(['two']);
  await expect.poll(() => keys(page)).toEqual([two.key, one.key]);
  await row(page, two.key).focus();
  await page.keyboard.press('ArrowDown');
  await expect(row(page, one.key)).toBeFocused();
  await page.keyboard.press('End');
  await expect(row(page, one.key)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.pane(one.key)).toBeVisible();
});

it('the details of a row show its usage and its processes as a tree, which is requested only then', async () => {
  const page = await newPage().load();
  const asked: (string | null)[] = [];
  page.gateway.answer('console/usage', ({ tree }) => {
    asked.push(typeof tree === 'string' ? tree : null);
    return { supported: true };
  });
  const { key } = page.agent.start(SLEEP);
  const report = (usage: Partial<ProcessUsage>): void =>
    page.gateway.fake.peers.at(-1)?.send({
      method: 'console/usageChanged',
      params: { usage: [{ key, cpu: 0.5, memoryBytes: 2_000_000, processes: 2, ports: [], ...usage }] },
    });
  await expect.poll(() => asked).toEqual([null]);
  report({});
  await expect(row(page, key)).toContainText('50%');
  await expect(row(page, key)).toContainText('2.0 MB');
  await row(page, key).getByRole('button', { name: 'Details' }).click();
  await expect.poll(() => asked).toEqual([null, key]);
  report({
    tree: [
      { pid: 70, parent: 0, name: 'sh', cpu: 0, memoryBytes: 500_000 },
      { pid: 71, parent: 70, name: 'sle\u202Eep', cpu: 0.5, memoryBytes: 1_500_000 },
    ],
  });
  const tree = page.getByRole('region', { name: 'Process tree' });
  await expect(tree).toContainText('71');
  // Hidden characters in a program name are visible.
  await expect(tree).toContainText('sle\\u202eep');
  await expect(page.pane(key)).toHaveCount(0);
  await row(page, key).getByRole('button', { name: 'Details' }).click();
  await expect.poll(() => asked).toEqual([null, key, null]);
  await expect(tree).toHaveCount(0);
});

it('the table of processes explains that all have ended and are cleared', async () => {
  const page = await newPage().load();
  page.agent.start(SLEEP).ends();
  await page.getByRole('button', { name: 'Clear 1 finished' }).click();
  await expect(page.getByText('All processes have ended and were cleared.')).toBeVisible();
});

it('the table sorted by CPU moves the busiest up once it is measured, even if the pointer is on it', async () => {
  const page = await newPage().load();
  const one = page.agent.start(['one']);
  const two = page.agent.start(['two']);
  await expect.poll(() => keys(page)).toEqual([two.key, one.key]);
  await table(page).hover();
  await table(page).getByRole('button', { name: 'CPU' }).click();
  const report = (cpu: number | null): void =>
    page.gateway.fake.peers.at(-1)?.send({
      method: 'console/usageChanged',
      params: {
        usage: [
          { key: one.key, cpu, memoryBytes: 1000, processes: 1, ports: [] },
          { key: two.key, cpu: 0, memoryBytes: 1000, processes: 1, ports: [] },
        ],
      },
    });
  report(null);
  report(0.9);
  await expect.poll(() => keys(page)).toEqual([one.key, two.key]);
});

it('a row names the process that a second key press ends, and asks before it ends long work', async () => {
  const page = await newPage().load();
  const { key } = page.agent.start(SLEEP);
  await row(page, key).focus();
  await page.keyboard.press('x');
  await expect(row(page, key)).toContainText(/Press x again to terminate .*sleep 1000/);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
  for (const stroke of ['x', 'x']) await page.keyboard.press(stroke);
  const question = row(page, key).getByRole('button', { name: /^Terminate “.*sleep 1000.*”/ });
  await expect(question).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(row(page, key)).toBeFocused();
  await expect(page.pane(key)).toHaveCount(0);
  for (const stroke of ['x', 'x', 'Enter']) await page.keyboard.press(stroke);
  await expect(row(page, key)).not.toContainText('running');
});
