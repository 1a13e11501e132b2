// The first minutes: signing in without clicking a link, and connecting an agent.
import { TestClient } from '../server/testing/test-client.ts';
import { ConsolePage, expect, expectAccessible, test } from './fixtures.ts';

test('an empty page creates a command that connects an agent', async ({ console, gateway }) => {
  const { page } = console;
  const card = page.locator('.overview-card');
  await expect(card).toContainText('token=TOKEN');
  await card.getByRole('button', { name: 'Create token for an agent' }).click();
  await expect(card.getByRole('status')).toContainText('shown only once');
  const line = (await card.locator('.connect-line pre').textContent()) ?? '';
  const [, url = ''] = /^CODEX_EXEC_SERVER_URL='(ws:[^']+)' codex$/.exec(line) ?? [];
  expect(new URL(url).host).toBe(new URL(gateway.url).host);
  await expectAccessible(page);
  const agent = await TestClient.open(url);
  await agent.initialize();
  const { key } = await agent.start(['/bin/cat'], { tty: true });
  await expect(console.row(key)).toBeVisible();
  agent.ws.terminate();
});

test('a page without a credential shows how to sign in and nothing else, accepts a link or a code, and rejects anything else with the reason', async ({
  gateway,
  page,
}) => {
  await page.goto(new URL('/', gateway.pageUrl).href);
  await expect(page.getByRole('main')).toContainText(/link/i);
  expect(await new ConsolePage(page).connection.count()).toBeLessThanOrEqual(1);
  await expect(page.getByRole('row')).toHaveCount(0);
  const field = page.getByRole('textbox', { name: 'Link or code' });
  await field.fill('hello');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Not a sign-in link or code');
  await expectAccessible(page);
  await field.fill(`Open the page  ${gateway.pageUrl}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await new ConsolePage(page).isOnline();
  expect(page.url()).not.toContain('code');

  const other = await (await page.context().browser()?.newContext())?.newPage();
  if (!other) throw new Error('no browser');
  await other.goto(new URL('/', gateway.pageUrl).href);
  const { hash } = new URL(await gateway.freshLink('observer'));
  await other.getByRole('textbox', { name: 'Link or code' }).fill(hash.replace('#code=', ''));
  await other.keyboard.press('Enter');
  await new ConsolePage(other).isOnline();
  await other.context().close();
});

test('the sign-in page sends a code for another address only after confirmation', async ({
  gateway,
  network,
  page,
}) => {
  const link = await gateway.freshLink('operator');
  await page.goto(network.through(new URL('/', gateway.pageUrl).href));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('textbox', { name: 'Link or code' }).fill(link);
  await page.keyboard.press('Enter');
  const question = page.getByRole('alert');
  await expect(question).toContainText(`This link is for ${new URL('/', link).href}`);
  await expectAccessible(page);
  expect(asked).not.toContain('/auth/exchange');
  await question.getByRole('button', { name: 'Use the code here' }).click();
  await new ConsolePage(page).isOnline();
  expect(asked).toContain('/auth/exchange');
});
