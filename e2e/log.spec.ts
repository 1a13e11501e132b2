// The log of a process without a tty: numbered lines of two streams, with colours and links, and never as HTML.
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const rows = (pane: Locator): Locator => pane.locator('.log-rows > .log-row');
const row = (pane: Locator, text: string | RegExp): Locator => rows(pane).filter({ hasText: text });

test('a log shows streams, progress, colours and links as text, and never interprets it', async ({
  agent,
  console,
  context,
  gateway,
}) => {
  await test.step('stderr lines are marked and named, keep their own colours, and stay whole', async () => {
    const script = `printf 'out '; read go; echo 'err line' >&2; read go; echo put; read go; echo last`;
    const { key, processId } = await agent.start(sh(script), { pipeStdin: true });
    const pane = await console.open(key);
    for (const seen of ['out ', 'err line\n', 'put\n']) {
      await agent.waitOutput(processId, seen);
      await agent.write({ processId }, 'go\n');
    }
    await expect(row(pane, 'last')).toBeVisible();
    await expect(pane.locator('.log-text:visible')).toHaveText(['out put', 'err line', 'last']);
    await expect(rows(pane).locator('.log-number')).toHaveText(['1', '2', '3']);
    await expect(rows(pane).locator('.log-stream')).toHaveText(['', 'err', '']);
    const styleOf = (text: string, part: string, property: 'color' | 'backgroundColor') =>
      row(pane, text)
        .locator(part)
        .evaluate((element, name) => getComputedStyle(element)[name], property);
    expect(await styleOf('err line', '.log-text', 'color')).toBe(await styleOf('last', '.log-text', 'color'));
    const mark = (text: string) => styleOf(text, '.log-stream', 'backgroundColor');
    expect(await mark('err line')).not.toBe(await mark('last'));
  });
  await test.step('a progress bar overwrites itself, and colours are styles', async () => {
    const { key } = await agent.start(
      sh(
        String.raw`for i in 10 55 100; do printf '\r\033[K%s%% done' $i; done; printf '\n\033[1;32mok\033[0m plain\n'`,
      ),
    );
    const pane = await console.open(key);
    await expect(pane.locator('.log-text:visible')).toHaveText(['100% done', 'ok plain']);
    const ok = pane.locator('.log-text span').filter({ hasText: 'ok' });
    await expect(ok).toHaveCSS('font-weight', '700');
  });
  await test.step('printed text is never interpreted as HTML', async () => {
    const hostile = String.raw`<img src=x onerror="document.title=1">\n<script>document.title=1</script>\n`;
    const controls = String.raw`a\001b\033]0;owned\007c\033[2J\342\200\256d\n`;
    const { key } = await agent.start(sh(`printf '${hostile}${controls}'`));
    const pane = await console.open(key);
    await expect(pane.locator('.log-text:visible')).toHaveText([
      '<img src=x onerror="document.title=1">',
      '<script>document.title=1</script>',
      // The line is erased as in a terminal; the remaining character is shown as an escape.
      '       \\u202ed',
    ]);
    await expect(pane.locator('.log-rows img, .log-rows script')).toHaveCount(0);
    expect(await console.page.title()).not.toMatch(/^1$|owned/);
  });
  await test.step('an OSC 8 link shows its address if that is a web address, otherwise it is text', async () => {
    const link = (address: string, text: string) => `\\033]8;;${address}\\007${text}\\033]8;;\\007`;
    const { key } = await agent.start(
      sh(
        `printf '${link('https://example.org/a', 'https://bank.example')} ${link('file:///etc/passwd', 'b')}\\n'`,
      ),
    );
    const pane = await console.open(key);
    await expect(row(pane, 'bank')).toBeVisible();
    const links = pane.locator('.log-link');
    await expect(links).toHaveCount(1);
    await expect(links).toHaveAttribute('href', 'https://example.org/a');
    await links.hover();
    await expect(pane.locator('.pane-link')).toHaveText('https://example.org/a');
    await row(pane, 'bank').locator('.log-number').hover();
    await expect(pane.locator('.pane-link')).toBeHidden();
    await links.focus();
    await expect(pane.locator('.pane-link')).toHaveText('https://example.org/a');
  });
  await test.step('a line’s number is a link that opens its pane at that line', async () => {
    const { key } = await agent.start(sh('seq -f "line number %g" 1 2000; sleep 1000'));
    const pane = await console.open(key);
    await expect(row(pane, 'line number 2000')).toBeVisible();
    await pane.getByRole('group', { name: 'Log' }).hover();
    await console.page.mouse.wheel(0, -10_000);
    await expect(row(pane, 'line number 2000')).toHaveCount(0);
    const shown = row(pane, /line number \d+$/).nth(20);
    const text = (await shown.locator('.log-text').textContent()) ?? '';
    await shown.locator('.log-number').click();
    await expect(row(pane, new RegExp(`${text}$`))).toHaveClass(/target/);
    const link = console.page.url();
    expect(link).toMatch(/#.+:L\d+$/);
    const other = await context.newPage();
    await other.goto(new URL(new URL(link).hash, gateway.pageUrl).href);
    const target = other.locator('.log-row.target');
    await expect(target).toBeVisible();
    await expect(target).toContainText(text);
  });
  await test.step('web addresses in a log are links, other text is not', async () => {
    const { key } = await agent.start(
      sh(
        String.raw`printf 'see https://example.org/a?b=1, \033[31mhttps://exa\033[0mmple.org/c. javascript:alert(1) http://a@b.c/\n'`,
      ),
    );
    await context.route('https://example.org/**', (route) => route.fulfill({ body: 'a page' }));
    const pane = await console.open(key);
    await expect(row(pane, 'see')).toBeVisible();
    const hrefs = await pane
      .locator('.log-link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(hrefs).toEqual(['https://example.org/a?b=1', 'https://example.org/c', 'https://example.org/c']);
    const opened = context.waitForEvent('page');
    await pane.locator('.log-link').first().click();
    expect((await opened).url()).toBe('https://example.org/a?b=1');
    expect(await (await opened).evaluate(() => window.opener === null)).toBe(true);
  });
});

test('a log of a hundred thousand lines draws one screen of them, and the page stays responsive', async ({
  agent,
  console,
}) => {
  const { key, processId } = await agent.start(sh('read go; seq 1 100000; read go; echo after $go'), {
    pipeStdin: true,
  });
  const pane = await console.open(key);
  await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
  await agent.write({ processId }, 'go\n');
  await expect(row(pane, /^\d+.*100000$/)).toBeVisible();
  expect(await rows(pane).count()).toBeLessThan(150);
  // All output must be in the log before the scroll, because later output waits until the reader is back at
  // the end.
  await console.shows(key, '100000');
  const { missedBytes } = await console.received(key);
  // The log starts at the first line, or with a note about skipped output if the page was too slow for the gateway's
  // window.
  const log = pane.getByRole('group', { name: 'Log' });
  await log.hover();
  await console.page.mouse.wheel(0, -100_000_000);
  // The log also contains markers about input.
  const first = rows(pane).filter({ hasNotText: 'input by' }).first();
  await expect(first).toContainText(missedBytes === 0 ? /1$/ : /skipped/);
  const toEnd = pane.getByRole('button', { name: /new line|Go to the end/ });
  await expect(toEnd).toHaveText('Go to the end');
  await agent.write({ processId }, 'one\n');
  await expect(toEnd).toHaveText('1 new line');
  await toEnd.click();
  await expect(row(pane, 'after one')).toBeVisible();
  await expect(toEnd).toBeHidden();
});

test('a process that never stops printing does not block the page', async ({ agent, console }) => {
  const { key } = await agent.start(['/usr/bin/yes', 'no end of it']);
  const pane = await console.open(key);
  await expect(row(pane, 'no end of it').first()).toBeVisible();
  const most = await console.page.evaluate(async () => {
    let most = 0;
    for (let frame = 0; frame < 60; frame += 1) {
      await new Promise(requestAnimationFrame);
      most = Math.max(most, document.querySelectorAll('.log-row').length);
    }
    return most;
  });
  expect(most).toBeLessThan(150);
  // Ctrl-C without a selection interrupts the process, as in a terminal.
  await pane.getByRole('group', { name: 'Log' }).click();
  await console.page.keyboard.press('Control+c');
  await expect(console.row(key)).toHaveAttribute('data-process-status', 'stopped');
  await expect(pane).toHaveAttribute('data-output-complete', 'true');
});

test('a log scrolls by keys, shows times, and keeps its position in a narrow pane and across a reload', async ({
  agent,
  console,
}) => {
  await test.step('Home, End and the Page keys scroll a log, and End follows the output again', async () => {
    const { page } = console;
    const { key, processId } = await agent.start(sh('seq 1 5000; while read x; do echo "after $x"; done'), {
      pipeStdin: true,
    });
    const pane = await console.open(key);
    await expect(row(pane, /5000$/)).toBeVisible();
    await pane.locator('.log-text', { hasText: /^5000$/ }).click();
    const first = rows(pane).locator('.log-number', { hasText: /^1$/ });
    await page.keyboard.press('Home');
    await expect(first).toBeInViewport();
    await page.keyboard.press('PageDown');
    await expect(first).not.toBeInViewport();
    await page.keyboard.press('PageUp');
    await expect(first).toBeInViewport();
    await page.keyboard.press('End');
    await expect(row(pane, /5000$/)).toBeInViewport();
    await agent.write({ processId }, 'x\n');
    await expect(row(pane, 'after x')).toBeInViewport();
    await expect(pane.getByRole('button', { name: /new line/ })).toBeHidden();
  });
  await test.step('each line has the time when it was printed, including lines from before the pane was opened', async () => {
    const { key, processId } = await agent.start(sh('echo early; read go; echo late'), { pipeStdin: true });
    await agent.waitOutput(processId, 'early');
    const pane = await console.open(key);
    const time = (text: string) => row(pane, text).locator('time');
    await expect(time('early')).toHaveText(/^\d\d:\d\d:\d\d$/);
    await agent.write({ processId }, 'go\n');
    await expect(time('late')).toHaveText(/^\d\d:\d\d:\d\d$/);
    const atMs = async (text: string) => Date.parse((await time(text).getAttribute('datetime')) ?? '');
    expect(await atMs('early')).toBeLessThan(await atMs('late'));
    // The exit moves the buttons, so it must come before the click.
    await expect(pane.getByRole('button', { name: 'Restart' })).toBeVisible();
    await pane.getByRole('button', { name: 'Show timestamps' }).click();
    await expect(time('early')).toBeHidden();
    await console.page.reload();
    await expect(row(pane, 'early')).toBeVisible();
    await expect(time('early')).toBeHidden();
  });
  await test.step('a log keeps its place when the pane becomes narrow, and its view is remembered', async () => {
    const { key } = await agent.start(sh(`seq -f "line %g ${'word '.repeat(30)}" 1 300; sleep 1000`));
    const pane = await console.open(key);
    await expect(row(pane, 'line 300 ')).toBeVisible();
    await console.page.setViewportSize({ width: 900, height: 700 });
    await expect(row(pane, 'line 300 ')).toBeInViewport();
    await pane.getByRole('button', { name: 'Terminal' }).click();
    await expect(pane.locator('.xterm')).toBeVisible();
    await expect(pane.getByRole('group', { name: 'Log' })).toBeHidden();
    await console.page.reload();
    await expect(pane.locator('.xterm')).toBeVisible();
    await pane.getByRole('button', { name: 'Log', exact: true }).click();
    await expect(row(pane, 'line 300 ')).toBeVisible();
  });
});
