// Markers between the lines of a process: visible, but not part of its output.
import { expect, sh, test } from './fixtures.ts';

test('a lost connection adds a marker, and no byte, to a terminal and to a log', async ({
  agent,
  proxied,
  network,
}) => {
  for (const tty of [true, false]) {
    await test.step(tty ? 'a terminal' : 'a log', async () => {
      const { key, processId } = await agent.start(sh('echo before; read x; echo after; read x'), {
        tty,
        pipeStdin: !tty,
      });
      const pane = await proxied.open(key);
      await proxied.shows(key, 'before');
      const before = await proxied.text(key);
      network.cut();
      await expect(proxied.connection).not.toHaveAttribute('data-connection-state', 'online');
      network.heal();
      await proxied.isOnline();
      await expect(pane.locator('.page-divider')).toHaveAttribute('data-text', 'reconnected');
      expect(await proxied.text(key)).toBe(before);
      await agent.write({ processId }, '\n');
      await proxied.shows(key, 'after');
    });
  }
});

test('evicted output of a pipe leaves a marker with its size', async ({ agent, console }) => {
  // The script overwrites the same line, so that all retained output fits on the screen.
  const script = "yes 'working\r' | tr -d '\\n' | head -c 3000000; printf '\\nend'; read x";
  const { key, processId } = await agent.start(sh(script), { pipeStdin: true });
  await agent.waitOutput(processId, 'end');
  const pane = await console.open(key);
  await console.shows(key, 'end');
  await expect(pane.locator('.page-divider')).toHaveAttribute('data-text', /^[12]\.\d MB skipped$/);
  expect(await console.text(key)).not.toContain('skipped');
});

test('input by another person is marked in the pane once, and never in the output', async ({
  agent,
  console,
  secondPage,
}) => {
  const { key, processId } = await agent.start(sh('cat'), { tty: true });
  const pane = await console.open(key);
  await console.type(key, 'mine\n');
  await console.shows(key, 'mine');
  const marks = pane.locator('.page-divider');
  await expect(marks).toHaveCount(0);
  await agent.write({ processId }, 'theirs\n');
  await expect(marks).toHaveAttribute('data-text', /^input by /);
  await agent.write({ processId }, 'theirs again\n');
  await console.shows(key, 'again');
  const other = await secondPage();
  await other.open(key);
  await other.type(key, 'of another page\n');
  await expect(marks).toHaveCount(2);
  await expect(other.pane(key).locator('.page-divider')).toHaveCount(0);
  expect(await console.text(key)).not.toContain('input by');
});
