// Buttons that grant a program something, and that appear or move by themselves: a click at the moment of the change
// has no effect. The page's clock is stopped, so that the click falls into that moment.
import type { Locator, Page } from '@playwright/test';
import { ConsolePage, expect, test } from './fixtures.ts';
import { readOnly } from '../server/testing/intents.ts';
import { Gateway } from './gateway.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

async function middleOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  if (!box) throw new Error('invariant violation: a visible element has no box');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Returns the text of the button at a point of the page; null if there is none. */
const buttonAt = (page: Page, { x, y }: Point): Promise<string | null> =>
  page.evaluate(
    ([left, top]) => document.elementFromPoint(left, top)?.closest('button')?.textContent ?? null,
    [x, y] as const,
  );

const STEP_MS = 20;

/** Advances the page's stopped clock in small steps until the element is visible. */
async function untilVisible(page: Page, element: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(STEP_MS);
    expect(await element.isVisible()).toBe(true);
  }).toPass({ intervals: [STEP_MS] });
}

/** Stops the page's clock, which must be installed. */
async function stopTime(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 1000);
}

test.describe('A request for approval', () => {
  let gateway: Gateway;
  test.beforeEach(async ({ page }) => {
    await page.clock.install();
    gateway = await Gateway.start({ flags: ['--approvals', 'always'] });
    await ConsolePage.of(page, gateway);
  });
  test.afterEach(() => gateway.stop());

  const outcome = (started: Promise<unknown>): Promise<string> =>
    started.then(
      () => 'started',
      (error: unknown) => (error as Error).message,
    );

  test('[AP26] is not approved by a click on Decline after an identical request has moved its buttons', async ({
    page,
  }) => {
    const agent = await gateway.agent();
    const ask = (): Promise<string> => outcome(agent.start(['sh', '-c', 'sleep 1000']));
    const asked = ask();
    const card = page.getByRole('article').first();
    const decline = card.getByRole('button', { name: 'Decline' });
    await expect(decline).toBeEnabled();
    const point = await middleOf(decline);
    await page.mouse.move(point.x, point.y);
    await stopTime(page);
    void ask();
    await untilVisible(page, card.getByRole('checkbox'));
    expect(await buttonAt(page, point)).toContain('Approve');
    await page.mouse.click(point.x, point.y);
    await page.clock.resume();
    await decline.click();
    expect(await asked).toContain('declined');
  });

  test('[AP26] is not approved by a click at the moment when another decision has moved its card', async ({
    page,
  }) => {
    const agent = await gateway.agent();
    const other = await gateway.operator();
    void outcome(agent.start(['sh', '-c', 'sleep 1000']));
    const cards = page.getByRole('article');
    await expect(cards).toHaveCount(1);
    const asked = outcome(agent.start(['sh', '-c', 'sleep 1001']));
    const approve = cards.nth(1).getByRole('button', { name: 'Approve once' });
    await expect(approve).toBeEnabled();
    await stopTime(page);
    const id = await cards.first().getAttribute('data-approval-id');
    await other.request('console/decide', { id, decision: 'decline' });
    await untilVisible(page, cards.first().getByText('Declined by Ada'));
    const { x, y } = await middleOf(approve);
    await page.mouse.click(x, y);
    await page.clock.resume();
    await cards.nth(1).getByRole('button', { name: 'Decline' }).click();
    expect(await asked).toContain('declined');
  });
});

test('[HC2] [AP26] a click at the moment when a program requests to copy text copies nothing', async ({
  page,
  gateway,
  context,
}) => {
  await page.clock.install();
  const console = await ConsolePage.of(page, gateway);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('mine'));
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const text = `${'x'.repeat(5000)} end`;
  const sequence = `\\033]52;c;${Buffer.from(text).toString('base64')}\\007`;
  const key = await console.start(`sh -c 'read a; printf "${sequence}"; read b'`);
  await console.typeInto(key);
  await stopTime(page);
  await page.keyboard.type('\n');
  const request = console.pane(key).getByRole('group', { name: 'Copy to your clipboard?' });
  const copy = request.getByRole('button', { name: 'Copy' });
  await untilVisible(page, copy);
  const { x, y } = await middleOf(copy);
  await page.mouse.click(x, y);
  expect(await clipboard()).toBe('mine');
  await expect(request.getByLabel('Text to copy')).toHaveText(text);
  await page.clock.resume();
  await copy.click();
  await expect.poll(clipboard).toBe(text);
});

test('[AP26] a click at the moment when a sandbox has blocked a process does not run it without the sandbox', async ({
  page,
  gateway,
}) => {
  await page.clock.install();
  const console = await ConsolePage.of(page, gateway);
  const agent = await gateway.agent();
  const { key } = await agent.start(['sh', '-c', 'read a; echo >/etc/nothing'], {
    tty: true,
    sandbox: readOnly('/tmp'),
  });
  await console.open(key);
  await console.typeInto(key);
  await stopTime(page);
  await page.keyboard.type('\n');
  const run = console.pane(key).getByRole('button', { name: 'Run again without the sandbox' });
  await untilVisible(page, run);
  const { x, y } = await middleOf(run);
  await page.mouse.click(x, y);
  await page.clock.resume();
  await run.click();
  await expect.poll(async () => page.evaluate(() => window.execConsole.processes().length)).toBe(2);
  // A process started by the first click would be listed before this one.
  const later = await agent.start(['true']);
  await expect(console.row(later.key)).toBeVisible();
  expect(await page.evaluate(() => window.execConsole.processes().length)).toBe(3);
});
