// The audit log in the page: live, filtered by person, with refusals marked, and downloadable.
import { readFileSync } from 'node:fs';
import { expect, expectAccessible, sh, test } from './fixtures.ts';

test('the audit log shows acts as they happen, of one process or of all, with rejections, and can be saved', async ({
  agent,
  console,
  gateway,
  pageOf,
}) => {
  const { key, processId } = await agent.start(['/bin/cat', 'a\u202eb'], { tty: true });
  await agent.start(sh('exit 0'));
  await console.open(key);
  await console.page.getByRole('button', { name: 'Commands' }).click();
  await console.page.getByRole('combobox').last().fill('audit log');
  await console.page.getByRole('option', { name: /^Audit log …/ }).click();
  const dialog = console.page.getByRole('dialog', { name: 'Audit log' });
  const rows = dialog.getByRole('table', { name: 'Entries' }).getByRole('row');
  await expect(rows.filter({ hasText: "started /bin/cat 'a\\u202eb'" })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'signed in with a link' })).toContainText('operator');
  await expectAccessible(console.page);

  await agent.write({ processId }, 'secret words\n');
  await expect(rows.filter({ hasText: 'typed 13 bytes' })).toHaveCount(1);
  const olga = await pageOf('Olga');
  await expect(rows.filter({ hasText: 'Olga' }).filter({ hasText: 'connected' })).toHaveCount(1);
  const refused = await olga.page.evaluate(
    async (url) => (await fetch(url, { headers: { authorization: 'Bearer guessed' } })).status,
    new URL('/status', gateway.pageUrl).href,
  );
  expect(refused).toBe(401);
  await expect(rows.filter({ hasText: 'was refused' })).toContainText('without a token');

  await dialog.getByRole('combobox', { name: 'Who' }).selectOption('Olga');
  await expect(rows.filter({ hasText: 'started' })).toHaveCount(0);
  await expect(rows.filter({ hasText: 'connected' })).toHaveCount(1);
  await dialog.getByRole('combobox', { name: 'What' }).selectOption('terminate');
  await expect(dialog.getByText('No entry matches these filters.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Who' }).selectOption('');
  await dialog.getByRole('combobox', { name: 'What' }).selectOption('');
  const saving = console.page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const saved = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split('\n');
  expect(saved.map((line) => (JSON.parse(line) as { act: string }).act)).toEqual(
    expect.arrayContaining(['signIn', 'start', 'input', 'refused']),
  );
  expect(saved.join()).not.toContain('secret words');
  await console.page.keyboard.press('Escape');

  const pane = console.pane(key);
  await pane.getByRole('button', { name: 'More', exact: true }).click();
  await pane.getByRole('menuitem', { name: 'Audit log of this process' }).click();
  await expect(rows.filter({ hasText: 'typed 13 bytes' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'connected' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Show the audit log of all processes' }).click();
  await expect(rows.filter({ hasText: 'connected' }).first()).toBeVisible();
  await olga.page.getByRole('button', { name: 'Commands' }).click();
  await olga.page.getByRole('combobox').last().fill('audit log');
  await expect(olga.page.getByRole('option', { name: 'Audit log' })).toHaveCount(0);
});
