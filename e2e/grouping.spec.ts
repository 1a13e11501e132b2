// The list by who started what: agents, their threads and calls, and what became of their connections.
import { expect, test } from './fixtures.ts';

const SLEEP = ['sleep', '1000'];

test('an agent’s threads are apart, and a click on a thread or a call shows only that', async ({
  agent,
  console,
}) => {
  const one = await agent.start(SLEEP, { metadata: { threadId: 'thread-1', toolCallId: 'call_1' } });
  const other = await agent.start(SLEEP, { metadata: { threadId: 'thread-2', toolCallId: 'call_2' } });
  const own = await console.start('sleep 999');
  await console.page.getByTitle('thread-1').click();
  await expect(console.row(one.key)).toBeVisible();
  await expect(console.row(other.key)).toBeHidden();
  await expect(console.page.getByText('1 of 3 shown')).toBeVisible();
  await console.page.getByRole('button', { name: 'Show all' }).click();
  await console.row(other.key).getByRole('button', { name: 'call_2' }).click();
  await expect(console.row(other.key)).toBeVisible();
  await expect(console.row(one.key)).toBeHidden();
  await expect(console.row(own)).toBeHidden();
  // Filtering is not opening.
  await expect(console.pane(other.key)).toBeHidden();
});

test('a group folds up, and stays so over a reload', async ({ agent, console }) => {
  const { key } = await agent.start(SLEEP);
  const title = console.page.locator('.process-group-title');
  await title.click();
  await expect(console.row(key)).toBeHidden();
  await console.page.reload();
  await console.isOnline();
  await expect(title).toHaveAttribute('aria-expanded', 'false');
  await title.click();
  await expect(console.row(key)).toBeVisible();
});

test('a session that goes away, and comes back, says so', async ({ gateway, console }) => {
  const agent = await gateway.agent();
  const { key, processId } = await agent.start(SLEEP);
  const group = console.page.locator('.process-group-title');
  await expect(group).not.toContainText('connected');
  agent.ws.terminate();
  await expect(group).toContainText('disconnected for');
  const again = await gateway.agent(agent.sessionId);
  await expect(group).toContainText('reconnected');
  await again.request('process/terminate', { processId });
  await expect(console.row(key)).toContainText('killed by');
});

test('a row does not move away under a pointer that is down', async ({ agent, console }) => {
  const { key } = await agent.start(SLEEP);
  await console.row(key).hover();
  await console.page.mouse.down();
  const added = await agent.start(SLEEP);
  await console.page.waitForFunction(
    (k) => window.execConsole.processes().some((process) => process.key === k),
    added.key,
  );
  await console.page.mouse.up();
  await expect(console.pane(key)).toBeVisible();
  await expect(console.row(added.key)).toBeVisible();
  await expect(console.pane(added.key)).toBeHidden();
});
