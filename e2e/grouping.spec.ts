// A row of the list stays in place while the mouse button is held down on it.
import { expect, test } from './fixtures.ts';

const SLEEP = ['sleep', '1000'];

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
