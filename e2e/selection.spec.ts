// Selecting several processes by keys, touch or agent, and a report that names them.
import { expect, expectAccessible, sh, test, type ConsolePage } from './fixtures.ts';
import type { TestClient } from '../server/testing/test-client.ts';

const IGNORES_TERM = sh('trap "" TERM; echo ready; while :; do sleep 0.1; done # stubborn');

/** Starts three processes one after another; resolves with their keys, oldest first. */
async function startThree(agent: TestClient, console: ConsolePage): Promise<[string, string, string]> {
  const keys: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const { key } = await agent.start(sh(`exec sleep 1000 # ${name}`));
    await expect(console.row(key)).toBeVisible();
    keys.push(key);
  }
  return keys as [string, string, string];
}

const bar = (console: ConsolePage) => console.page.getByRole('toolbar', { name: 'Selection' });
const report = (console: ConsolePage) => console.page.getByRole('status', { name: 'Result' });

async function expectSelected(console: ConsolePage, keys: readonly string[]): Promise<void> {
  const selected = console.page.locator('[role="row"][aria-selected="true"]');
  await expect(selected).toHaveCount(keys.length);
  for (const key of keys) await expect(console.row(key)).toHaveAttribute('aria-selected', 'true');
}

test('several processes are selected by keys and by agent, coloured, and ended with one report', async ({
  agent,
  console,
  gateway,
}) => {
  await test.step('rows are selected by keys, and one key acts on all of them', async () => {
    const { page } = console;
    const [one, two, three] = await startThree(agent, console);
    await expect(page.getByRole('treegrid')).toHaveAttribute('aria-multiselectable', 'true');
    await console.row(three).focus();
    await page.keyboard.press('Space');
    await expectSelected(console, [three]);
    await page.keyboard.press('J');
    await page.keyboard.press('Shift+ArrowDown');
    await expectSelected(console, [one, two, three]);
    await expect(bar(console)).toContainText('3 selected');
    await page.keyboard.press('K');
    await expectSelected(console, [two, three]);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expectSelected(console, []);
    await expect(bar(console)).toHaveCount(0);

    await page.keyboard.press('Control+a');
    await expectSelected(console, [one, two, three]);
    await page.keyboard.press('x');
    await expect(page.locator('.row-again')).toHaveText(
      /^Press x again to terminate 3 processes \(“exec sleep 1000 # three”, “.*two”, “.*one”\)$/,
    );
    await page.keyboard.press('x');
    await expect(report(console)).toHaveText(/^3 ended/);
    await expect(report(console).getByRole('button', { name: 'Restart all 3' })).toBeVisible();
    for (const key of [one, two, three]) await expect(console.row(key)).toContainText(/terminated by \S+/);
  });
  await test.step('a group heading acts on everything of its agent, and names what is still running', async () => {
    const { page } = console;
    const [one] = await startThree(agent, console);
    const stubborn = await agent.start(IGNORES_TERM);
    await agent.waitOutput(stubborn.processId, 'ready');
    const other = await gateway.agent();
    const others = await other.start(sh('exec sleep 1000 # of another'));
    await expect(console.row(others.key)).toBeVisible();
    const heading = page.locator('.process-group-title').filter({ hasText: '4 running' });
    await heading.getByRole('button', { name: /^Actions for / }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Terminate all 4' }).click();
    await expect(report(console)).toContainText(/3 ended, 1 still running: trap .* \(\d+\)/);
    await report(console).getByRole('button', { name: 'Kill the rest' }).click();
    await expect(report(console)).toHaveText(/^4 ended/);
    await expect(console.row(stubborn.key)).toContainText(/killed by \S+/);
    await expect(console.row(one)).toContainText(/terminated by \S+/);
    await expect(console.row(others.key)).toHaveAttribute('data-process-status', 'running');
    await report(console).getByRole('button', { name: 'Dismiss report' }).click();
    await expect(report(console)).toHaveText('');
  });
  await test.step('a selected row has its colour, also when it is open in a pane', async () => {
    const [one, two] = await startThree(agent, console);
    await console.row(one).focus();
    await console.page.keyboard.press('Escape');
    await expectSelected(console, []);
    await console.open(one);
    await console.row(one).click({ modifiers: ['ControlOrMeta'] });
    await console.row(two).click({ modifiers: ['ControlOrMeta'] });
    await expectSelected(console, [one, two]);
    await console.page.mouse.move(900, 500);
    const colour = (key: string): Promise<string> =>
      console.row(key).evaluate((row) => getComputedStyle(row, '::before').backgroundColor);
    await expect.poll(async () => (await colour(one)) === (await colour(two))).toBe(true);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a button turns taps into selection', async ({ agent, console }) => {
    const { page } = console;
    const [one, two, three] = await startThree(agent, console);
    await page.getByRole('button', { name: 'Select', exact: true }).tap();
    await console.row(one).tap();
    await console.row(two).tap();
    await expectSelected(console, [one, two]);
    for (const button of await bar(console).getByRole('button').all())
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    await bar(console).getByRole('button', { name: 'Terminate' }).tap();
    await expect(report(console)).toHaveText(/^2 ended/);
    await expect(console.row(three)).toHaveAttribute('data-process-status', 'running');
    await bar(console).getByRole('button', { name: 'Clear selection' }).tap();
    await console.row(three).tap();
    await expect(console.pane(three)).toBeVisible();
  });
});
