// An idle page does no work, and a busy page draws only what is visible.
import { drawn, expect, test } from './fixtures.ts';

const LINES = 3000;

test('a page draws only what has changed', async ({ agent, console }) => {
  await test.step('nothing in the page animates, neither while processes run nor while one prints', async () => {
    const { page } = console;
    const quiet = await agent.start(['/bin/sleep', '1000']);
    const { key, processId } = await agent.start(['/bin/sh', '-c', `read x; seq ${LINES}; cat`], {
      tty: true,
    });
    await expect(console.row(quiet.key)).toContainText('running');
    await console.open(key);
    await page.getByRole('button', { name: 'Commands' }).hover();
    await page.evaluate(() => {
      addEventListener('transitionrun', () => (document.body.dataset['moved'] = 'yes'));
    });
    await agent.write({ processId }, '\n');
    await console.shows(key, `${LINES}`);
    // A bar drawn one frame late would start to move only now.
    await drawn(page);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await expect(page.locator('body')).not.toHaveAttribute('data-moved');
  });
  await test.step('a scroll bar is drawn once per frame, not once per line, and at the right position', async () => {
    const { page } = console;
    const { key, processId } = await agent.start(['/bin/sh', '-c', `read x; seq ${LINES}; cat`], {
      tty: true,
    });
    const pane = await console.open(key);
    await pane.locator('.xterm').hover();
    await pane
      .locator('.xterm-slider')
      .last()
      .evaluate((slider) => {
        let drawn = 0;
        new MutationObserver(
          (records) => (slider.dataset['drawn'] = String((drawn += records.length))),
        ).observe(slider, { attributeFilter: ['style'] });
      });
    await agent.write({ processId }, '\n');
    await console.shows(key, `${LINES}`);
    const slider = pane.locator('.xterm-slider').last();
    const bar = pane.locator('.xterm-scrollbar.xterm-vertical');
    const gaps = async (): Promise<{ above: number; below: number }> => {
      const [inner, outer] = [await slider.boundingBox(), await bar.boundingBox()];
      if (!inner || !outer) throw new Error('there is no bar');
      return { above: inner.y - outer.y, below: outer.y + outer.height - inner.y - inner.height };
    };
    await expect.poll(async () => Math.abs((await gaps()).below)).toBeLessThan(2);
    await expect(bar).toHaveCSS('opacity', '1');
    expect(Number(await slider.getAttribute('data-drawn'))).toBeLessThan(LINES / 10);
    await slider.hover();
    await page.mouse.down();
    await page.mouse.move(0, 0);
    await page.mouse.up();
    await expect.poll(async () => Math.abs((await gaps()).above)).toBeLessThan(2);
    await expect(pane.locator('.xterm-rows')).not.toContainText(`${LINES}`);
    // A reader who has scrolled up sees the position without hovering over the bar.
    await page.getByRole('button', { name: 'Commands' }).hover();
    await expect(async () => {
      await agent.write({ processId }, 'more\n');
      // The timeout is short, because the bar hides again soon.
      await expect(bar).toHaveCSS('opacity', '1', { timeout: 400 });
    }).toPass();
    await pane.getByRole('button', { name: /new line|Go to the end/ }).click();
    await page.getByRole('button', { name: 'Commands' }).hover();
    await expect(bar).toHaveCSS('opacity', '0');
    await bar.evaluate((element: HTMLElement) => {
      const look = (): void => {
        if (getComputedStyle(element).opacity !== '0') element.dataset['wasSeen'] = '';
        requestAnimationFrame(look);
      };
      look();
    });
    await agent.write({ processId }, 'still more\n');
    await console.shows(key, 'still more');
    await drawn(page);
    await expect(bar).not.toHaveAttribute('data-was-seen');
  });
});
