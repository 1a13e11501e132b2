// A process whose agent has disconnected: the time until its termination in its row and pane, and the button to keep it.
import { it } from 'vitest';
import { expect, newPage, type TestPage } from '../testing/page.ts';

const SLEEP = ['sleep', '1000'];

/** Reports that the agent has disconnected and that its session expires in 8 s. */
function cut({ agent: { session }, gateway }: TestPage): void {
  const detachedAtMs = Date.now();
  const gone = { attached: false, detachedAtMs, expiresAtMs: detachedAtMs + 8000 };
  gateway.fake.notifyAll({ sessions: [{ ...session, ...gone }] });
}

it('the pane of a process without its agent can keep it running', async () => {
  const page = await newPage().load();
  const process = page.agent.start(SLEEP, { tty: true });
  page.gateway.answer('process/pin', ({ key, pinned }) => {
    page.gateway.processes.get(String(key))?.report({ pinnedBy: pinned === true ? 'page' : null });
    return {};
  });
  const pane = await page.open(process.key);
  await expect(pane).not.toContainText('ends in');
  await pane.getByRole('button', { name: 'More' }).click();
  await expect(pane.getByRole('menuitem', { name: /^Keep running/ })).toContainText(
    'An agent such as Codex can still end it itself.',
  );
  await page.keyboard.press('Escape');
  cut(page);
  await expect(pane).toContainText(/ends in \d+s/);
  await pane.getByRole('button', { name: 'Keep' }).click();
  await expect(pane).toContainText('kept');
  await expect(pane.getByTitle('Kept running by page, even without its agent')).toBeVisible();
  await expect(pane).not.toContainText('ends in');
  await pane.getByRole('button', { name: 'More' }).click();
  await expect(pane.getByRole('menuitem', { name: /^Keep running/ })).toHaveCount(0);
  await pane.getByRole('menuitem', { name: 'Let it end with its session' }).click();
  await expect(pane).toContainText(/ends in \d+s/);
});

it('an observer sees when a process without its agent ends, and cannot keep it running', async () => {
  const page = newPage();
  page.gateway.role = 'observer';
  await page.load();
  const { key } = page.agent.start(SLEEP);
  await expect(page.row(key)).toBeVisible();
  cut(page);
  await expect(page.row(key)).toContainText(/ends in \d+s/);
  await expect(page.row(key).getByRole('button', { name: 'Keep' })).toBeHidden();
});
