// The list’s counts, which agree everywhere, and its headings: agents and their threads.
import { it } from 'vitest';
import { expect, newPage, sh } from '../../testing/page.ts';

const SLEEP = ['sleep', '1000'];

it('the counts agree in chips, section, groups, wall and tab title', async () => {
  const page = await newPage().load();
  for (let i = 0; i < 2; i += 1) page.agent.start(SLEEP);
  const asks = page.agent.start(sh("printf 'Go on? '; read answer"), { tty: true });
  asks.asks('Go on? ');
  page.agent.start(sh('exit 3')).ends(3);
  page.agent.start(sh('approve'), { tty: true }).notifies('approve?');
  await expect(page.row(asks.key)).toContainText('waiting for input');
  const chips = page.getByRole('group', { name: 'Filter by' });
  await expect(chips).toContainText(/Waiting 1\s*Failed 1\s*Running 3/);
  await expect(page.getByRole('row', { name: 'Needs attention' })).toContainText(
    '1 waiting · 1 notified · 1 failed',
  );
  await expect(page.locator('.process-group-title').nth(1)).toContainText('1 waiting · 3 running · 1 failed');
  await expect.poll(() => document.title).toBe('(3) exec-console');
  for (const [chip, count] of [
    ['Waiting 1', 1],
    ['Running 3', 3],
    ['Failed 1', 1],
  ] as const) {
    await chips.getByRole('button', { name: chip }).click();
    await expect(page.getByText(`${count} of 5 shown`)).toBeVisible();
    await chips.getByRole('button', { name: chip }).click();
  }
  await page.getByRole('button', { name: 'Wall', exact: true }).click();
  await expect(page.locator('.wall-bar')).toContainText(/3 running\s*1 waiting/);
});

it('a thread has one heading with its first command, start and count, and its id in the tooltip', async () => {
  const page = await newPage().load();
  const threadId = '0198f3a2-7c1e-7d3b-9d55-3b6f0f5b1c11';
  page.agent.start(sh('true'), { metadata: { threadId } }).ends();
  page.agent.start(SLEEP, { metadata: { threadId } });
  const broken = page.agent.start(sh('exit 4'), { metadata: { threadId } });
  broken.ends(4);
  const heading = page.locator('.process-thread');
  await expect(heading).toHaveCount(1);
  await expect(heading).toHaveText(/^true · \d\d:\d\d · 3 processes$/);
  await expect(heading.getByTitle(threadId)).toBeVisible();
  await expect(page.getByText(threadId.slice(-6))).toHaveCount(0);
  await expect(page.row(broken.key)).toContainText('failed · exit 4');
  await heading.click();
  await expect(page.getByText('3 of 3 shown')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove filter thread true' })).toBeVisible();
});

it('an agent’s threads are separate, and a click on a thread or a tool call shows only that', async () => {
  const page = await newPage().load();
  const one = page.agent.start(SLEEP, { metadata: { threadId: 'thread-1', toolCallId: 'call_1' } });
  const other = page.agent.start(SLEEP, { metadata: { threadId: 'thread-2', toolCallId: 'call_2' } });
  const own = page.gateway.start(['sleep', '999'], { session: 'console', startedBy: 'page' });
  await page.getByTitle('thread-1').click();
  await expect(page.row(one.key)).toBeVisible();
  await expect(page.row(other.key)).toBeHidden();
  await expect(page.getByText('1 of 3 shown')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.row(other.key).getByRole('button', { name: 'call_2' }).click();
  await expect(page.row(other.key)).toBeVisible();
  await expect(page.row(one.key)).toBeHidden();
  await expect(page.row(own.key)).toBeHidden();
  // A click on a tool call filters the list, but opens no pane.
  await expect(page.pane(other.key)).toBeHidden();
});

it('a group can be collapsed, and stays collapsed after a reload', async () => {
  const page = await newPage().load();
  const { key } = page.agent.start(SLEEP);
  const title = page.locator('.process-group-title');
  await title.click();
  await expect(page.row(key)).toBeHidden();
  await page.reload();
  await expect(title).toHaveAttribute('aria-expanded', 'false');
  await title.click();
  await expect(page.row(key)).toBeVisible();
});

it('an interrupted process counts as stopped, not as failed', async () => {
  const page = await newPage().load();
  const { key } = page.agent.start(SLEEP, { tty: true });
  page.agent.start(sh('exit 1')).ends(1);
  const pane = await page.open(key);
  await pane.getByRole('button', { name: 'Interrupt' }).click();
  await expect(page.row(key)).toContainText(/interrupted by \S+/);
  await expect(page.row(key)).not.toContainText('unseen');
  const chips = page.getByRole('group', { name: 'Filter by' });
  await expect(chips.getByRole('button', { name: 'Failed 1' })).toBeVisible();
  await chips.getByRole('button', { name: 'Stopped 1' }).click();
  await expect(page.getByText('1 of 2 shown')).toBeVisible();
  await expect(page.row(key)).toBeVisible();
});

it('a group shows that its session disconnected and reconnected', async () => {
  const page = await newPage().load();
  const { session } = page.agent;
  page.agent.start(SLEEP);
  const group = page.locator('.process-group-title');
  await expect(group).not.toContainText('connected');
  const atMs = Date.now();
  page.gateway.fake.notifyAll({
    sessions: [{ ...session, attached: false, detachedAtMs: atMs, expiresAtMs: atMs + 80_000 }],
  });
  await expect(group).toContainText(/disconnected · ends in 1m \d\ds/);
  page.gateway.fake.notifyAll({ sessions: [{ ...session, attached: true, connectedAtMs: atMs }] });
  await expect(group).toContainText('reconnected');
});
