// The list grouped by agents: the state of their connections, and rows that stay under the pointer.
import { expect, test } from './fixtures.ts';

const SLEEP = ['sleep', '1000'];

test('a group shows that its session disconnected and reconnected', async ({ gateway, console }) => {
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

test('a row keeps its place while the pointer is down on it', async ({ agent, console }) => {
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
