// Room for a confirmation in every place: its buttons are whole, and as much of a long name is shown as fits.
import { expect, test, type ConsolePage } from './fixtures.ts';
import type { Locator } from '@playwright/test';

const LONG = `make -j8 VERBOSE=1 build/release/some-really-long-target-name TARGET=x86_64 FLAGS=${'y'.repeat(60)}`;
const long = (name: string): string[] => ['/bin/sh', '-c', `: ${name}; while :; do sleep 1; done`];

/** Sets the page's clock ten minutes ahead and stops it, so that all processes seem long-running. */
const later = ({ page }: ConsolePage) => page.clock.setFixedTime(Date.now() + 600_000);

async function isWhole(question: Locator, within: Locator): Promise<void> {
  const room = await within.boundingBox();
  if (!room) throw new Error('invariant violation: a visible element has no box');
  for (const part of [
    question.getByRole('button', { name: /^Terminate/ }),
    question.getByRole('button', { name: 'Cancel' }),
    // The last element has the closing quotation mark and the question mark.
    question.locator('.ladder-what > :last-child'),
  ]) {
    const box = await part.boundingBox();
    if (!box) throw new Error('invariant violation: a visible element has no box');
    expect(box.x).toBeGreaterThanOrEqual(room.x);
    expect(box.x + box.width).toBeLessThanOrEqual(room.x + room.width + 0.5);
  }
  const end = await question.locator('.ladder-what > :last-child').boundingBox();
  const yes = await question.getByRole('button', { name: /^Terminate/ }).boundingBox();
  if (end && yes && end.y + end.height > yes.y && end.y < yes.y + yes.height)
    expect(yes.x - (end.x + end.width)).toBeGreaterThanOrEqual(4);
  await question.getByRole('button', { name: 'Cancel' }).click({ trial: true });
}

test('a confirmation shows its buttons whole in a pane, alone and in splits, and for several processes', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const started = [];
  for (const name of ['one', 'two', 'three'])
    started.push((await agent.start(long(`${name} ${LONG}`), { tty: true })).key);
  const [other = '', , key = ''] = started;
  await later(console);
  await expect(page.locator('[role="row"][data-process-key]')).toHaveCount(3);
  await test.step('the confirmation for several processes names them, in full in its tooltip', async () => {
    await page.locator('[role="row"][data-process-key]').first().focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('x');
    await page.keyboard.press('x');
    const question = page.locator('.ladder-bar-question .ladder-question');
    await isWhole(question, page.locator('.sidebar'));
    const isCut = await question
      .locator('.ladder-object')
      .evaluate((element) => element.scrollWidth > element.clientWidth && element.clientWidth > 0);
    expect(isCut).toBe(false);
    const tip = (await question.locator('.ladder-asked').getAttribute('title')) ?? '';
    for (const name of ['one', 'two', 'three']) expect(tip).toContain(`${name} ${LONG}`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.locator('[role="row"][aria-selected="true"]')).toHaveCount(0);
  });
  await test.step('a row’s confirmation names its process apart from its buttons', async () => {
    await console.row(key).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('x');
    await isWhole(console.row(key).locator('.ladder-question'), console.row(key));
    await page.keyboard.press('Escape');
  });
  const pane = console.pane(key);
  for (const [name, isSplit, width] of [
    ['alone', false, 1440],
    ['in a split', true, 1440],
    ['in a narrow split', false, 1100],
  ] as const)
    await test.step(`a pane’s confirmation shows its buttons whole ${name}`, async () => {
      await page.setViewportSize({ width, height: 900 });
      await console.open(key);
      if (isSplit) {
        await console.row(other).focus();
        await page.keyboard.press('v');
        await expect(page.getByRole('tablist')).toHaveCount(2);
      }
      await pane.getByRole('button', { name: 'Terminate' }).click();
      await isWhole(pane.locator('.ladder-question'), pane);
      await page.keyboard.press('Escape');
      await expect(pane.locator('.ladder-question')).toHaveCount(0);
    });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a pane’s confirmation shows its buttons whole', async ({ agent, console }) => {
    const { key } = await agent.start(long(LONG), { tty: true });
    await console.row(key).tap();
    await later(console);
    const pane = console.pane(key);
    await pane.getByRole('button', { name: 'Terminate' }).tap();
    await isWhole(pane.locator('.ladder-question'), pane);
  });
});
