// Drawing with WebGL where a person chose it: a context is leased to what is in sight, given back, and got again.
import { expect, sh, test } from './fixtures.ts';

test.beforeEach(({ page }) =>
  page.addInitScript(() => localStorage.setItem('exec-console.renderer', 'webgl')),
);

test('a pane draws with WebGL, falls back when its context is lost, and gets another one', async ({
  agent,
  console,
}) => {
  const { key } = await agent.start(sh('echo here; read x'), { tty: true });
  const pane = await console.open(key);
  await console.shows(key, 'here');
  const canvas = pane.locator('.xterm-screen canvas');
  const rows = pane.locator('.xterm-rows');
  await expect(canvas.first()).toBeAttached();
  await expect(rows).toHaveCount(0);
  const losses = await canvas.evaluateAll((elements: HTMLCanvasElement[]) =>
    elements.map((element) =>
      element.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext(),
    ),
  );
  expect(losses.length).toBeGreaterThan(0);
  await expect(rows).toContainText('here');
  await expect(rows).toHaveCount(0);
  await expect(canvas.first()).toBeAttached();
});

test('a closed pane gives its context back', async ({ agent, console }) => {
  // Each context that was not given back would take an earlier one away.
  const lost: string[] = [];
  console.page.on('console', (message) => {
    if (/context/i.test(message.text())) lost.push(message.text());
  });
  const { key } = await agent.start(sh('echo here; read x'), { tty: true });
  for (let i = 0; i < 20; i += 1) {
    const pane = await console.open(key);
    await expect(pane.locator('.xterm-screen canvas').first()).toBeAttached();
    await pane.getByRole('button', { name: 'Close tab' }).click();
    await expect(pane).toBeHidden();
  }
  expect(lost).toEqual([]);
});
