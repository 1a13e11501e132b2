// Reading a log: selecting and copying, evicted lines, long lines, and markers.
import type { Locator } from '@playwright/test';
import { ConsolePage, expect, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const rows = (pane: Locator): Locator => pane.locator('.log-rows > .log-row');
const row = (pane: Locator, text: string | RegExp): Locator => rows(pane).filter({ hasText: text });

/** Returns the texts of the rows in view; more rows are drawn beyond the view's edges, and their number varies. */
const inView = (pane: Locator): Promise<string[]> =>
  pane.locator('.log-view').evaluate((view) => {
    const { top, bottom } = view.getBoundingClientRect();
    const isInView = (row: Element): boolean => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    };
    return [...view.querySelectorAll('.log-rows > .log-row')]
      .filter(isInView)
      .map((row) =>
        [...row.querySelectorAll(':scope > :not(.log-gutter)')].map((part) => part.textContent).join(''),
      );
  });

test('text in a log is selected and copied as printed, and long lines scroll sideways when wrapping is off', async ({
  agent,
  console,
}) => {
  await test.step('copying from a log gives the printed text, without line numbers and timestamps', async () => {
    const long = 'word '.repeat(60).trim();
    const { key } = await agent.start(sh(`printf 'first   \\n${long}\\nlast\\n'; sleep 1000`));
    const pane = await console.open(key);
    await expect(row(pane, 'last')).toBeVisible();
    const clipboard = () => console.page.evaluate(() => navigator.clipboard.readText());
    const box = async (text: string) =>
      (await row(pane, text).locator('.log-text').boundingBox()) ?? { x: 0, y: 0 };
    const [first, last] = [await box('first'), await box('last')];
    const { mouse, keyboard } = console.page;
    await mouse.move(first.x + 1, first.y + 8);
    await mouse.down();
    await mouse.move(last.x + 60, last.y + 8, { steps: 5 });
    await mouse.up();
    await keyboard.press('Control+c');
    await expect.poll(clipboard).toBe(`first\n${long}\nlast`);
    await keyboard.press('Escape');
    await row(pane, 'first')
      .locator('.log-text')
      .dblclick({ position: { x: 5, y: 8 } });
    await keyboard.press('Control+c');
    await expect.poll(clipboard).toBe('first');
    await keyboard.press('Control+a');
    await keyboard.press('Control+c');
    await expect.poll(clipboard).toBe(`first\n${long}\nlast`);
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
  });
  await test.step('a selection in a log stays while lines arrive, and when line numbers become wider', async () => {
    const { key, processId } = await agent.start(
      sh('seq -f "line %g" 1 100; while read n; do seq 1 $n; done'),
      {
        pipeStdin: true,
      },
    );
    const pane = await console.open(key);
    await row(pane, /line 90$/)
      .locator('.log-text')
      .dblclick({ position: { x: 5, y: 8 } });
    await expect.poll(() => selectedText(console)).toBe('line');
    await agent.write({ processId }, '5\n');
    // All five lines must be shown before the reader scrolls up, so that none of them counts as new.
    await expect(rows(pane).locator('.log-text').filter({ hasText: /^5$/ })).toBeVisible();
    await pane.getByRole('group', { name: 'Log' }).press('PageUp');
    await agent.write({ processId }, '20000\n');
    await expect(pane.getByRole('button', { name: /^20,000 new lines/ })).toBeVisible();
    expect(await selectedText(console)).toBe('line');
  });
  await test.step('Ctrl-C copies a selection in a log without an interrupt, however much has been printed since', async () => {
    const script = 'seq -f "line %g" 1 50; read n; seq 1 150000; exec sleep 1000';
    const { key, processId } = await agent.start(sh(script), { pipeStdin: true });
    const pane = await console.open(key);
    await row(pane, /line 45$/)
      .locator('.log-text')
      .dblclick({ position: { x: 5, y: 8 } });
    await expect.poll(() => selectedText(console)).toBe('line');
    await agent.write({ processId }, '\n');
    const toEnd = pane.getByRole('button', { name: /more may be waiting$/ });
    await expect(toEnd).toBeVisible();
    await console.page.keyboard.press('Control+c');
    const clipboard = () => console.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(clipboard).toBe('line');
    await toEnd.click();
    await expect(row(pane, /150000$/)).toBeVisible();
    await expect(toEnd).toHaveCount(0);
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
  });
  await test.step("a selection that is dragged out of the log is copied up to the log's edge", async () => {
    const { key } = await agent.start(sh('seq -f "line %g" 1 10; sleep 1000'));
    const pane = await console.open(key);
    const from = await row(pane, /line 4$/)
      .locator('.log-text')
      .boundingBox();
    const header = await pane.locator('header, .pane-header').first().boundingBox();
    if (!from || !header) throw new Error('there is no text to drag over');
    const { mouse, keyboard } = console.page;
    await mouse.move(from.x + 200, from.y + 8);
    await mouse.down();
    await mouse.move(header.x + 40, header.y + 4, { steps: 8 });
    await mouse.up();
    await keyboard.press('Control+c');
    await expect
      .poll(() => console.page.evaluate(() => navigator.clipboard.readText()))
      .toBe('line 1\nline 2\nline 3\nline 4');
  });
  await test.step('long lines scroll sideways when wrapping is off', async () => {
    const { key } = await agent.start(sh(`echo short; echo '${'wide '.repeat(200)}needle end'; sleep 1000`));
    const pane = await console.open(key);
    const long = row(pane, 'needle end');
    await expect(long).toBeVisible();
    const height = async (of: Locator) => (await of.boundingBox())?.height ?? Number.NaN;
    // A row may be missing during a new layout; the result is then NaN, which meets no expectation.
    const lines = async () => (await height(long)) / (await height(row(pane, 'short')));
    expect(await lines()).toBeGreaterThan(1);
    await pane.getByRole('button', { name: 'Wrap long lines' }).click();
    await expect.poll(lines).toBe(1);
    await pane.getByRole('button', { name: 'Search in this pane' }).click();
    await pane.getByRole('search').getByLabel('Search for').fill('needle');
    const match = pane.locator('mark.present');
    await expect(match).toBeInViewport();
    const [box, number] = [await match.boundingBox(), await long.locator('.log-gutter').boundingBox()];
    expect(box?.x).toBeGreaterThan((number?.x ?? 0) + (number?.width ?? 0));
    await console.page.reload();
    await expect.poll(lines).toBe(1);
    await console.page.keyboard.press('Control+k');
    await console.page.keyboard.type('wrap');
    await console.page.keyboard.press('Enter');
    await expect.poll(lines).toBeGreaterThan(1);
  });
});

const selectedText = (console: ConsolePage) =>
  console.page.evaluate(() => document.getSelection()?.toString() ?? '');

test('evicted lines are counted at their position, and the lines being read stay in view', async ({
  page,
}) => {
  // Recording is off, since evicted lines would otherwise be read from the recording.
  const gateway = await Gateway.start({ flags: ['--record', 'off'] });
  const agent = await gateway.agent();
  const console = await ConsolePage.of(page, gateway);
  const { key, processId } = await agent.start(sh('seq 1 90000; while read n; do seq 1 $n; done'), {
    pipeStdin: true,
  });
  const pane = await console.open(key);
  await expect(row(pane, /90000$/)).toBeVisible();
  const log = pane.getByRole('group', { name: 'Log' });
  await log.press('Home');
  await log.hover();
  await page.mouse.wheel(0, 400_000);
  // This row is too far from the start to be among the excess lines.
  const read = rows(pane).nth(30);
  await expect
    .poll(async () => Number(await read.locator('.log-text').textContent()))
    .toBeGreaterThan(15_000);
  await expect(read).toBeInViewport();
  const text = (await read.locator('.log-text').textContent()) ?? '';
  const place = async () => (await row(pane, new RegExp(`${text}$`)).boundingBox())?.y ?? Number.NaN;
  const before = await place();
  await agent.write({ processId }, '20000\n');
  await expect(pane.getByRole('button', { name: /^20,000 new lines/ })).toBeVisible();
  // Browsers scroll by whole pixels.
  expect(Math.abs((await place()) - before)).toBeLessThan(1);
  // No line is evicted during reading; excess lines are evicted once the reader is back at the end.
  const dropped = pane.getByText(/[\d,]+ earlier lines evicted from this page/);
  await expect(dropped).toHaveCount(0);
  await log.press('End');
  await agent.write({ processId }, '5000\n');
  await expect(dropped).not.toHaveCount(0);
  await log.press('Home');
  await expect(dropped).toBeInViewport();
  await gateway.stop();
});

test("clearing a pane's view affects only this page, and a reload brings the output back", async ({
  agent,
  console,
}) => {
  const clear = async (key: string): Promise<void> => {
    await console.pane(key).getByRole('button', { name: 'More' }).click();
    await console.page.getByRole('menuitem', { name: /^Clear view/ }).click();
  };
  const piped = await agent.start(sh('seq 1 50; read go; echo after'), { pipeStdin: true });
  const pane = await console.open(piped.key);
  await expect(row(pane, /50$/)).toBeVisible();
  await clear(piped.key);
  await expect(pane).toContainText('50 earlier lines cleared');
  await agent.write({ processId: piped.processId }, 'go\n');
  // The marker about input may follow the output.
  await expect(rows(pane).filter({ hasNotText: 'input by' }).first()).toHaveText(/after$/);
  const tty = await agent.start(sh('seq 1 100; read go; echo after'), { tty: true });
  await console.open(tty.key);
  await console.shows(tty.key, /100\n/);
  await clear(tty.key);
  await expect.poll(() => console.text(tty.key)).not.toContain('100');
  await agent.write({ processId: tty.processId }, 'go\n');
  await console.shows(tty.key, 'after');
  await console.page.reload();
  await console.shows(tty.key, /99\n100\n[^]*after/);
});

test('a log scrolled up during a flood keeps its lines in view', async ({ agent, console }) => {
  const { key } = await agent.start(sh('while :; do seq 1 200000; sleep 0.05; done'));
  // The agent would read slowly and delay the flood, so it is disconnected.
  await agent.cut();
  const pane = await console.open(key);
  await expect(row(pane, '100')).not.toHaveCount(0);
  await pane.locator('.log-view').hover();
  await console.page.mouse.wheel(0, -4000);
  const toEnd = pane.locator('.to-end');
  await expect(toEnd).toBeVisible();
  // Line numbers, which are not compared, are relative until the earlier lines have been counted.
  const read = await inView(pane);
  expect(read.length).toBeGreaterThan(10);
  // This much more output would displace the lines if the view followed it.
  const before = await console.printed(key);
  await expect.poll(() => console.printed(key)).toBeGreaterThan(before + 5_000_000);
  // A line at an edge may have had only a fraction of a pixel in view.
  expect(await inView(pane)).toEqual(expect.arrayContaining(read.slice(1, -1)));
  await toEnd.click();
  await expect(toEnd).toBeHidden();
});
