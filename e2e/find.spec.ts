// Search in a pane: the same bar for logs and terminals, usable by keyboard alone.
import { expect, sh, test } from './fixtures.ts';

test('a search covers a log and a terminal, and is closed by keyboard', async ({ agent, console }) => {
  await test.step('search in a log covers all of it, from the newest match to the oldest, and returns to the log', async () => {
    const script =
      'for i in 1 2 3; do echo "Error $i"; seq 1 2000; done; echo error; read go; echo "error $go"; sleep 1000';
    const { key, processId } = await agent.start(sh(script), { pipeStdin: true });
    const pane = await console.open(key);
    const log = pane.getByRole('group', { name: 'Log' });
    await expect(log).toContainText('error');
    await log.focus();
    const { keyboard } = console.page;
    await keyboard.press('Control+f');
    const search = pane.getByRole('search');
    const count = search.getByRole('status');
    await keyboard.type('error');
    await expect(count).toHaveText('4 of 4');
    await keyboard.press('Enter');
    await expect(count).toHaveText('3 of 4');
    await expect(log.locator('mark.present')).toHaveText('Error');
    await expect(log.locator('mark.present')).toBeInViewport();
    await keyboard.press('Shift+Enter');
    await expect(count).toHaveText('4 of 4');
    await agent.write({ processId }, 'again\n');
    await expect(count).toHaveText('4 of 5');
    await search.getByRole('button', { name: 'Match case' }).click();
    await expect(count).toHaveText('2 of 2');
    await search.getByLabel('Search for').fill('Error [12]');
    await expect(count).toHaveText('No results');
    await search.getByRole('button', { name: 'Regular expression' }).click();
    await expect(count).toHaveText('2 of 2');
    await search.getByLabel('Search for').fill('(');
    await expect(count).toHaveText('Invalid expression');
    await expect(search.getByLabel('Search for')).toHaveAttribute('aria-invalid', 'true');
    await keyboard.press('Escape');
    await expect(search).toBeHidden();
    await expect(log).toBeFocused();
    await expect(log.locator('mark')).toHaveCount(0);
  });
  await test.step('a search continues in the terminal when the pane switches from the log to it', async () => {
    const { key } = await agent.start(sh('seq 1 300; sleep 1000'));
    const pane = await console.open(key);
    await pane.getByRole('button', { name: 'Search in this pane' }).click();
    const search = pane.getByRole('search');
    await search.getByLabel('Search for').fill('99');
    await expect(search.getByRole('status')).toHaveText('3 of 3');
    await pane.getByRole('button', { name: 'Terminal' }).click();
    await expect(pane.locator('.xterm')).toBeVisible();
    await expect(search.getByRole('status')).toHaveText('3 of 3');
    await search.getByLabel('Search for').press('Escape');
    await expect(pane.locator('textarea')).toBeFocused();
  });
  await test.step('Ctrl+F and Ctrl+Shift+F go to the terminal that has the keyboard, otherwise to the page', async () => {
    const { key, processId } = await agent.start(['/bin/cat', '-v'], { tty: true });
    const pane = await console.open(key);
    await console.type(key, '');
    await console.page.keyboard.press('Control+f');
    await console.page.keyboard.press('Control+Shift+F');
    await console.page.keyboard.type('x\n');
    await agent.waitOutput(processId, '^Fx');
    await expect(pane.getByRole('search')).toBeHidden();
    await console.leaveTerminal(key);
    await console.page.keyboard.press('Control+Shift+F');
    await expect(pane.getByLabel('Search for')).toBeFocused();
  });
  await test.step('a regular expression matches a full-screen program, including what it draws later', async () => {
    const draw = (what: string) =>
      String.raw`printf '\033[2J\033[3;5H${what} 1\033[4;5H${what} 22\033[5;5Hend'`;
    const { key, processId } = await agent.start(
      sh(String.raw`printf '\033[?1049h'; ${draw('日本 err')}; read go; ${draw('later')}; sleep 1000`),
      { tty: true },
    );
    const pane = await console.open(key);
    await console.shows(key, 'err 22');
    await pane.getByRole('button', { name: 'Search in this pane' }).click();
    const search = pane.getByRole('search');
    await search.getByRole('button', { name: 'Regular expression' }).click();
    await search.getByLabel('Search for').fill('(err|later) \\d');
    await expect(search.getByRole('status')).toHaveText('2 of 2');
    await expect(pane.locator('.xterm-decoration-container > div').first()).toBeAttached();
    await agent.write({ processId }, 'go\n');
    await expect(search.getByRole('status')).toHaveText('2 found');
    await search.getByLabel('Search for').press('Enter');
    await expect(search.getByRole('status')).toHaveText('2 of 2');
  });
});

test('no regular expression blocks the page, in a log and in a terminal', async ({ agent, console }) => {
  for (const view of ['Log', 'Terminal'])
    await test.step(view, async () => {
      await console.page.setViewportSize({ width: 1440, height: 900 });
      const { key } = await agent.start(
        sh(`seq 1 300; printf '%0100000d' 0 | tr 0 a; echo; echo 'x 日本 err 42'; sleep 1000`),
      );
      const pane = await console.open(key);
      await pane.getByRole('button', { name: view, exact: true }).click();
      await console.shows(key, 'err 42');
      await pane.getByRole('button', { name: 'Search in this pane' }).click();
      const search = pane.getByRole('search');
      await search.getByRole('button', { name: 'Regular expression' }).click();
      await search.getByLabel('Search for').fill('(a+)+$b');
      await expect(search.getByRole('status')).toHaveText('No results');
      await search.getByLabel('Search for').fill('a.*z|a');
      await expect(search.getByRole('status')).toHaveText(/^[\d,]+\+? of [\d,]+\+?$/);
      await search.getByLabel('Search for').fill('^1.$|\\berr \\d+');
      await expect(search.getByRole('status')).toHaveText('11 of 11');
      await search.getByLabel('Search for').press('Enter');
      await expect(search.getByRole('status')).toHaveText('10 of 11');
      const marks = pane.locator('mark, .xterm-decoration-container .xterm-decoration');
      await search.getByLabel('Search for').fill('(?=a)');
      await expect(search.getByRole('status')).toHaveText('Unsupported expression');
      await expect(marks).toHaveCount(0);
      await console.page.setViewportSize({ width: 390, height: 700 });
      for (const name of ['Previous match', 'Close search']) {
        await expect(search.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
      }
    });
});

test('a failed load of the regular-expression search is reported, and text search still works', async ({
  agent,
  console,
}) => {
  const { key } = await agent.start(sh('echo a needle; sleep 1000'));
  const pane = await console.open(key);
  await pane.getByRole('button', { name: 'Search in this pane' }).click();
  const search = pane.getByRole('search');
  await search.getByLabel('Search for').fill('needle');
  await console.page.route('**/assets/*.js', (route) => route.abort());
  await search.getByRole('button', { name: 'Regular expression' }).click();
  await expect(pane.getByRole('alert')).toContainText('could not be loaded');
  await expect(search.getByRole('status')).toHaveText('1 of 1');
});
