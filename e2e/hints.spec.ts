// Hints that explain why nothing happens, and how to begin.
import { expect, sh, test } from './fixtures.ts';

const FULL_SCREEN = String.raw`printf '\033[?1049h'; echo full; read x; printf '\033[?1049l'; exit 0`;

test('a pane explains why nothing happens', async ({ agent, console }) => {
  await test.step('a pane without output has a note, and a terminal smaller than its pane shows its border', async () => {
    const { key, processId } = await agent.start(sh('read x; echo $x; cat'), { tty: true });
    const pane = await console.open(key);
    await expect(pane.getByText('No output yet')).toBeVisible();
    const edge = (): Promise<string> =>
      pane.locator('.xterm-screen').evaluate((screen) => getComputedStyle(screen).outlineStyle);
    await expect.poll(edge).not.toBe('none');
    await pane.getByRole('button', { name: 'Take control' }).click();
    await expect.poll(edge).toBe('none');
    await agent.write({ processId }, 'hello\n');
    await console.shows(key, 'hello');
    await expect(pane.getByText('No output yet')).toBeHidden();
  });
  await test.step('the wheel without control explains once how to scroll; typing into an ended process shows that it is not sent', async () => {
    const { page } = console;
    const { key, processId } = await agent.start(sh(FULL_SCREEN), { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'full');
    const hint = pane.getByRole('status', { name: 'Hint' });
    await expect(hint).toHaveText('');
    await pane.locator('.xterm-screen').hover();
    await page.mouse.wheel(0, 200);
    await page.mouse.wheel(0, 200);
    await expect(hint.getByText('Take control to scroll in this program')).toHaveCount(1);
    await expect(hint).toHaveText('');
    await agent.write({ processId }, 'x\n');
    await expect(pane).toHaveAttribute('data-output-complete', 'true');
    await console.type(key, 'k');
    await expect(hint).toHaveText('Not sent: the process has ended');
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('an empty list creates the command that connects an agent, and shows no shortcuts', async ({
    console,
    context,
  }) => {
    const { page } = console;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Create token for an agent' }).tap();
    await page.getByRole('button', { name: 'Copy command' }).tap();
    await expect(page.getByRole('status', { name: 'Done' })).toHaveText('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^CODEX_EXEC_SERVER_URL='ws:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}' codex$/,
    );
    await expect(page.getByRole('button', { name: /^Keys/ })).toBeHidden();
  });
});
