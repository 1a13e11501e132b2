// Reading in a pane: following stops while a person reads, searches show a count, links show their target.
import { writeFileSync } from 'node:fs';
import { ConsolePage, expect, sh, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';
import { WITHOUT_KEEPER } from '../server/testing/keeper-tests.ts';

test('a terminal stops following for a reader, is searched, copied from, and shows where links lead', async ({
  agent,
  console,
  context,
}) => {
  await test.step('scrolling up stops following, and one click returns to the end', async () => {
    const { key, processId } = await agent.start(sh('seq 1 200; while read x; do echo "after $x"; done'), {
      pipeStdin: true,
    });
    const pane = await console.open(key);
    await pane.getByRole('button', { name: 'Terminal' }).click();
    await console.shows(key, /200\n/);
    const toEnd = pane.getByRole('button', { name: /new line|Go to the end/ });
    await expect(toEnd).toBeHidden();
    const top = pane.locator('.xterm-rows > div').first();
    const atEnd = (await top.textContent()) ?? '';
    await pane.locator('.xterm').hover();
    await console.page.mouse.wheel(0, -500);
    await expect(toEnd).toHaveText('Go to the end');
    await expect(top).not.toHaveText(atEnd);
    const shown = await top.textContent();
    await agent.write({ processId }, 'one\ntwo\n');
    await expect(toEnd).toHaveText('2 new lines');
    expect(await top.textContent()).toBe(shown);
    await toEnd.click();
    await expect(toEnd).toBeHidden();
    await agent.write({ processId }, 'three\n');
    await expect(pane.locator('.xterm-rows')).toContainText('after three');
    await expect(toEnd).toBeHidden();
  });
  await test.step('search in a pane counts matches, steps through them, and supports case and regular expressions', async () => {
    const { key } = await agent.start(
      sh('for i in 1 2 3; do echo "Error $i"; seq 1 50; done; echo error; sleep 1000'),
    );
    const pane = await console.open(key);
    await pane.getByRole('button', { name: 'Terminal' }).click();
    await console.shows(key, /error\n/);
    await pane.getByRole('button', { name: 'Search in this pane' }).click();
    const search = pane.getByRole('search');
    const count = search.getByRole('status');
    const { keyboard } = console.page;
    await keyboard.type('error');
    await expect(count).toHaveText('4 of 4');
    await keyboard.press('Enter');
    await expect(count).toHaveText('3 of 4');
    await keyboard.press('Shift+Enter');
    await expect(count).toHaveText('4 of 4');
    await search.getByRole('button', { name: 'Match case' }).click();
    await expect(count).toHaveText('1 of 1');
    await search.getByLabel('Search for').fill('Error [12]');
    await expect(count).toHaveText('No results');
    await search.getByRole('button', { name: 'Regular expression' }).click();
    await expect(count).toHaveText('2 of 2');
    await search.getByLabel('Search for').fill('(');
    await expect(count).toHaveText('Invalid expression');
    await keyboard.press('Escape');
    await expect(search).toBeHidden();
    await expect(pane.locator('textarea')).toBeFocused();
  });
  await test.step('copying from a terminal joins wrapped lines and drops trailing blanks', async () => {
    const long = 'word '.repeat(30).trim();
    const { key } = await agent.start(sh(`printf 'one   \\r\\n${long}\\r\\nend\\r\\n'; sleep 1000`), {
      tty: true,
    });
    const pane = await console.open(key);
    await console.shows(key, 'end');
    const { mouse } = console.page;
    const rowOf = (text: string) => pane.locator('.xterm-rows > div').filter({ hasText: text }).boundingBox();
    const [first, last] = [await rowOf('one'), await rowOf('end')];
    await mouse.move((first?.x ?? 0) + 1, (first?.y ?? 0) + 8);
    await mouse.down();
    await mouse.move((last?.x ?? 0) + 60, (last?.y ?? 0) + 8, { steps: 5 });
    await mouse.up();
    await console.page.keyboard.press('Control+Shift+c');
    await expect
      .poll(() => console.page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(new RegExp(`^one\n${long}\nend`));
  });
  await test.step('Ctrl-C after the selected word has scrolled away copies no other word and sends no interrupt', async () => {
    const script = 'stty -echo; echo precious word; read go; seq 1 30000; echo done; exec sleep 1000';
    const { key, processId } = await agent.start(['/bin/sh', '-c', script], { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'precious');
    const clipboard = () => console.page.evaluate(() => navigator.clipboard.readText());
    const screen = pane.locator('.xterm-screen');
    await screen.dblclick({ position: { x: 8, y: 8 } });
    await console.page.keyboard.press('Control+c');
    await expect.poll(clipboard).toBe('precious');
    await screen.dblclick({ position: { x: 8, y: 8 } });
    await agent.write({ processId }, 'go\n');
    await agent.waitOutput(processId, 'done');
    const hint = pane.getByRole('status', { name: 'Hint' });
    await console.shows(key, 'done');
    await console.page.keyboard.press('Control+c');
    await expect(hint).toContainText('Not copied');
    expect(await clipboard()).toBe('precious');
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
    await console.page.keyboard.press('Control+c');
    await expect(console.row(key)).not.toHaveAttribute('data-process-status', 'running');
  });
  await test.step('a link shows its address, and opens only a web address, and only on purpose', async () => {
    const hidden = String.raw`\033]8;;https://example.org/real\007docs\033]8;;\007`;
    const script = String.raw`printf 'see https://example.org/shown ok\r\n${hidden}\r\n\033]8;;javascript:alert(1)\007bad\033]8;;\007\r\n'; sleep 1000`;
    const { key } = await agent.start(sh(script), { tty: true });
    await context.route('https://example.org/**', (route) => route.fulfill({ body: 'a page' }));
    const pane = await console.open(key);
    await console.shows(key, 'bad');
    const { mouse, keyboard } = console.page;
    const pointAt = async (text: string, x: number): Promise<void> => {
      const box = await pane.locator('.xterm-rows > div').filter({ hasText: text }).boundingBox();
      await mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + 8);
    };
    const reported = pane.locator('.pane-link');
    await pointAt('see', 60);
    await expect(reported).toContainText('https://example.org/shown');
    await pointAt('docs', 10);
    await expect(reported).toContainText('https://example.org/real');
    await pointAt('bad', 10);
    await expect(reported).toBeHidden();
    const opened = context.waitForEvent('page');
    await keyboard.down('Control');
    await mouse.down();
    await mouse.up();
    await keyboard.up('Control');
    await pointAt('docs', 10);
    await expect(reported).toContainText('https://example.org/real');
    await mouse.down();
    await mouse.up();
    await keyboard.down('Control');
    await mouse.down();
    await mouse.up();
    await keyboard.up('Control');
    expect((await opened).url()).toBe('https://example.org/real');
    expect(context.pages()).toHaveLength(2);
    expect(await (await opened).evaluate(() => window.opener === null)).toBe(true);
  });
});

test('a terminal scrolled up during a flood keeps its lines in view, even after the process ends, and one click shows the end', async ({
  agent,
  console,
}, testInfo) => {
  const enough = testInfo.outputPath('enough');
  const flood = `until [ -e '${enough}' ]; do seq 1 200000; done; echo the end`;
  const { key } = await agent.start(sh(flood), { tty: true });
  // The agent would read slowly and delay the flood, so it is disconnected.
  await agent.cut();
  const pane = await console.open(key);
  const shown = pane.locator('.xterm-rows > div');
  await console.shows(key, '100');
  await pane.locator('.xterm').hover();
  await console.page.mouse.wheel(0, -4000);
  const toEnd = pane.locator('.to-end');
  await expect(toEnd).toContainText('more may be waiting');
  const read = await shown.allTextContents();
  // No earlier line could still be there by chance after this much more output.
  const before = await console.printed(key);
  await expect.poll(() => console.printed(key)).toBeGreaterThan(before + 5_000_000);
  expect(await shown.allTextContents()).toEqual(read);
  writeFileSync(enough, '');
  await expect(pane).toHaveAttribute('data-exit-code', '0');
  expect(await shown.allTextContents()).toEqual(read);
  await toEnd.click();
  await console.shows(key, /200000\nthe end/);
  await expect(pane).toHaveAttribute('data-output-complete', 'true');
  await expect(toEnd).toBeHidden();
});

test('a selection in a flooded terminal stays until it is copied or a click shows the end', async ({
  agent,
  console,
}, testInfo) => {
  const enough = testInfo.outputPath('enough');
  const flood = `until [ -e '${enough}' ]; do seq 100000 300000; done; echo the end`;
  const { key } = await agent.start(sh(flood), { tty: true });
  // The agent would read slowly and delay the flood, so it is disconnected.
  await agent.cut();
  const pane = await console.open(key);
  await console.shows(key, /000\n/);
  const { mouse, keyboard } = console.page;
  const { x, y, height } = (await pane.locator('.xterm-rows > div').nth(3).boundingBox()) ?? {
    x: 0,
    y: 0,
    height: 0,
  };
  const toEnd = pane.locator('.to-end');
  // The terminal stays still while the button is down, until it is clear whether text is selected.
  await mouse.move(x + 1, y + 8);
  await mouse.down();
  await expect(toEnd).toHaveText('Go to the end; more may be waiting');
  await mouse.up();
  await expect(toEnd).toBeHidden();
  // Selects further up, where nothing moves under the pointer, and scrolls back to the end, so that only the
  // selection holds the view.
  const select = async (): Promise<void> => {
    await mouse.move(x + 1, y + 8);
    await mouse.wheel(0, -500);
    await expect(toEnd).toContainText('more may be waiting');
    await mouse.down();
    await mouse.move(x + 200, y + 8 + 2 * height, { steps: 5 });
    await mouse.up();
    await pane.locator('.xterm-vertical .xterm-slider').hover();
    await mouse.down();
    await mouse.move(x, y + 10_000);
    await mouse.up();
    await expect(toEnd).toHaveClass(/while-selecting/);
  };
  await select();
  const shown = await console.text(key);
  const before = await console.printed(key);
  await expect.poll(() => console.printed(key)).toBeGreaterThan(before + 5_000_000);
  expect(await console.text(key)).toBe(shown);
  await toEnd.click();
  await expect(toEnd).toBeHidden();
  await select();
  const there = await console.text(key);
  await keyboard.press('Control+c');
  await expect(toEnd).toBeHidden();
  const copied = await console.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^\d{6}\n\d{6}\n\d{6}$/);
  expect(there).toContain(`\n${copied}\n`);
  writeFileSync(enough, '');
  await expect(pane).toHaveAttribute('data-exit-code', '0');
  await console.shows(key, /300000\nthe end/);
  await expect(pane).toHaveAttribute('data-output-complete', 'true');
});

test('a terminal scrolled up during a lost connection keeps its lines, and adds the output printed meanwhile at the end', async ({
  agent,
  proxied,
  network,
}) => {
  const { key, processId } = await agent.start(sh('seq 1 300; read go; seq 1 500000; echo the end'), {
    tty: true,
  });
  const pane = await proxied.open(key);
  await proxied.shows(key, /300\n/);
  await pane.locator('.xterm').hover();
  await proxied.page.mouse.wheel(0, -500);
  const toEnd = pane.locator('.to-end');
  await expect(toEnd).toHaveText('Go to the end');
  const shown = pane.locator('.xterm-rows > div');
  const read = await shown.allTextContents();
  network.cut();
  await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
  await agent.write({ processId }, 'go\n');
  await agent.waitEvent(processId, 'process/closed');
  network.heal();
  await expect(toEnd).toContainText('more may be waiting');
  expect(await shown.allTextContents()).toEqual(read);
  await toEnd.click();
  await proxied.shows(key, /500000\nthe end/);
  await expect(pane).toHaveAttribute('data-output-complete', 'true');
});

test('a terminal scrolled up when the gateway dies without a recording keeps its lines, even back at the end', async ({
  page,
}) => {
  const gateway = await Gateway.start({ flags: ['--record', 'off', ...WITHOUT_KEEPER] });
  const agent = await gateway.agent();
  const console = await ConsolePage.of(page, gateway);
  const { key, processId } = await agent.start(sh('seq 1 300; read go; while :; do seq 1 200000; done'), {
    tty: true,
  });
  const pane = await console.open(key);
  await console.shows(key, /300\n/);
  await pane.locator('.xterm').hover();
  await console.page.mouse.wheel(0, -500);
  await agent.write({ processId }, 'go\n');
  await agent.cut();
  const toEnd = pane.locator('.to-end');
  await expect(toEnd).toContainText('more may be waiting');
  await gateway.kill();
  const next = await gateway.startAgain(['--record', 'off', ...WITHOUT_KEEPER]);
  await expect(pane).toContainText('This process no longer exists');
  const shown = await console.text(key);
  await toEnd.click();
  await expect(toEnd).toBeHidden();
  // The earlier request for the newest screen has failed once this start is answered.
  await console.start('true');
  expect(await console.text(key)).toBe(shown);
  await next.stop();
});
