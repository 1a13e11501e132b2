// The list: what needs a person first, filtered by words and chips, still while one reads, and all of it by the keyboard.
import { ConsolePage, expect, test } from './fixtures.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const SLEEP = sh('sleep 1000');

test('what waits for a person comes first, then what failed unseen, then what runs, then what is done', async ({
  agent,
  console,
}) => {
  const failed = await agent.start(sh('echo broken; exit 3'));
  const asks = await agent.start(sh("printf 'Overwrite? [y/N] '; read answer"), { tty: true });
  const done = await agent.start(sh('echo fine'));
  const runs = await agent.start(SLEEP);
  const { page } = console;
  await expect(console.row(done.key)).toHaveAttribute('data-process-status', 'succeeded');
  await expect(console.row(asks.key)).toContainText('waits for input');
  await expect(console.row(failed.key)).toContainText('failed · exit 3');
  await expect(console.row(failed.key)).toContainText('broken');
  const keys = (): Promise<string[]> =>
    page
      .locator('[role="row"][data-process-key]')
      .evaluateAll((rows) =>
        rows
          .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
          .map((row) => row.getAttribute('data-process-key') ?? ''),
      );
  await expect.poll(keys).toEqual([asks.key, failed.key, runs.key, done.key]);

  await expect(console.row(failed.key)).toContainText('unseen');

  // Seen, it is history; but nothing moves while the pointer is on the list.
  await console.open(failed.key);
  await page.mouse.move(720, 880);
  await expect(console.row(failed.key)).not.toContainText('unseen');
  await expect.poll(keys).toEqual([asks.key, runs.key, done.key, failed.key]);
  await page.reload();
  await console.isOnline();
  await expect.poll(keys).toEqual([asks.key, runs.key, done.key, failed.key]);
});

test('a failure behind another tab, the wall or another tab of the browser has not been seen', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const fails = (): Promise<{ key: string; processId: string }> =>
    agent.start(sh('read x; exit 3'), { pipeStdin: true });
  const [behind, walled] = [await fails(), await fails()];
  const { key } = await agent.start(SLEEP);
  await console.open(behind.key);
  await console.open(key);
  await agent.write({ processId: behind.processId }, '\n');
  await expect(console.row(behind.key)).toContainText('unseen');
  await console.open(behind.key);
  await page.mouse.move(720, 880);
  await expect(console.row(behind.key)).not.toContainText('unseen');

  await console.open(walled.key);
  await page.getByRole('button', { name: 'Wall', exact: true }).click();
  await agent.write({ processId: walled.processId }, '\n');
  await expect(console.row(walled.key)).toContainText('unseen');
  await page.getByRole('button', { name: 'Wall', exact: true }).click();
  await page.mouse.move(720, 880);
  await expect(console.row(walled.key)).not.toContainText('unseen');
});

test('what needs a person stands above everything of every agent, with who started it, and in the order of the keys', async ({
  gateway,
  console,
}) => {
  const { page } = console;
  const [one, other] = [await gateway.agent(), await gateway.agent()];
  const asks = await other.start(sh("printf 'Go on? '; read answer"), { tty: true });
  const broken = await other.start(sh('kill -SEGV $$'));
  const runs = await one.start(SLEEP);
  for (let i = 0; i < 7; i += 1) await one.start(sh(`echo ${i}`));
  await expect(page.getByRole('row', { name: '2 more finished' })).toBeVisible();
  const needs = page.getByRole('row', { name: 'Needs attention' });
  await expect(needs).toContainText('1 waiting · 1 failed');
  const chips = page.getByRole('group', { name: 'Filter by' });
  // Each is counted once.
  await expect(chips).toContainText(/Waiting 1\s*Failed 1\s*Running 1\s*Succeeded 7/);
  await expect(console.row(broken.key)).toHaveAttribute('aria-level', '2');
  await expect(console.row(broken.key)).toContainText(/test · (since|2)/);
  // From the first row down, as one sees them.
  await page.mouse.move(720, 880);
  await needs.focus();
  await page.keyboard.press('j');
  await expect(console.row(asks.key)).toBeFocused();
  await page.keyboard.press('j');
  await expect(console.row(broken.key)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(console.row(runs.key)).toBeFocused();
  // A failure that was looked at is history, among what is finished.
  await console.open(broken.key);
  await page.mouse.move(720, 880);
  await expect(needs).not.toContainText('failed');
});

test('scripts that begin alike are told by what differs, in rows and tabs', async ({ agent, console }) => {
  const { page } = console;
  const keys = [];
  for (const name of ['first', 'second']) {
    keys.push((await agent.start(sh(`cd /tmp && sleep 1000 && echo ${name}`))).key);
  }
  const [first = '', second = ''] = keys;
  await expect(console.row(first)).toContainText('cd… 1000 && echo first');
  await expect(console.row(second)).toContainText('cd… 1000 && echo second');
  await console.open(first);
  await expect(page.getByRole('tab')).toHaveText('cd… 1000 && echo first');
});

test('tabs of one name say whole what tells them apart', async ({ agent, console }) => {
  for (let index = 0; index < 9; index += 1) {
    await console.open((await agent.start(['/bin/sleep', '1000'])).key);
  }
  const told = console.page.locator('.tab .tab-distinction');
  await expect(told).toHaveCount(9);
  const cut = await told.evaluateAll(
    (all) => all.filter((each) => each.scrollWidth > each.clientWidth).length,
  );
  expect(cut).toBe(0);
});

test('a question is read whole, an error for half of its row, and chips move nothing', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const runs = await agent.start(SLEEP);
  const asks = await agent.start(sh("printf 'Overwrite the file? [y/N] '; read x"), { tty: true });
  const failed = await agent.start(sh('echo "ERROR: not found: tests/test_module_number_7.py"; exit 4'));
  const line = (key: string) => console.row(key).locator('.process-row-line');
  await expect(console.row(asks.key)).toContainText('waits for input');
  await expect(console.row(failed.key)).toContainText('failed · exit 4');
  // Then there are numbers for all that run.
  await expect(console.row(runs.key)).toContainText('CPU');
  await expect(console.row(asks.key)).not.toContainText('CPU');
  expect(await line(asks.key).evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
  const share = await line(failed.key).evaluate(
    (element) => element.clientWidth / (element.parentElement?.clientWidth ?? 0),
  );
  expect(share).toBeGreaterThan(0.49);

  const rows = page.locator('.process-list-rows');
  const before = await rows.boundingBox();
  await page.getByLabel('Filter processes').fill('-folder:nowhere -command:nothing -label:none');
  await expect(page.getByRole('group', { name: 'Filter by' }).getByRole('button')).toHaveCount(6);
  expect(await rows.boundingBox()).toEqual(before);
});

test('while one reads, what ends stays where it is, and what comes moves nothing away', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const below = await agent.start(sh('read x; exit 1'), { pipeStdin: true });
  const above = await agent.start(SLEEP);
  const rowIndex = (key: string) => console.row(key).getAttribute('aria-rowindex');
  await expect(console.row(above.key)).toBeVisible();
  expect(Number(await rowIndex(above.key))).toBeLessThan(Number(await rowIndex(below.key)));
  await console.row(above.key).hover();
  await agent.write({ processId: below.processId }, 'end\n');
  await expect(console.row(below.key)).toHaveAttribute('data-process-status', 'failed');
  expect(Number(await rowIndex(above.key))).toBeLessThan(Number(await rowIndex(below.key)));
  await page.mouse.move(720, 450);
  await expect
    .poll(async () => Number(await rowIndex(above.key)) - Number(await rowIndex(below.key)))
    .toBeGreaterThan(0);
});

test('chips and words narrow the list, and are taken back', async ({ agent, console }) => {
  const { page } = console;
  const runs = await agent.start(SLEEP, { metadata: { threadId: 'one' } });
  const failed = await agent.start(sh('exit 2'));
  await agent.start(sh('true'));
  await expect(console.row(failed.key)).toHaveAttribute('data-process-status', 'failed');
  const chips = page.getByRole('group', { name: 'Filter by' });
  await chips.getByRole('button', { name: 'Failed 1' }).click();
  await expect(console.row(failed.key)).toBeVisible();
  await expect(console.row(runs.key)).toBeHidden();
  await expect(page.getByText('1 of 3 shown')).toBeVisible();
  await chips.getByRole('button', { name: 'Running 1' }).click();
  await expect(page.getByText('2 of 3 shown')).toBeVisible();
  const field = page.getByLabel('Filter processes');
  await expect(field).toHaveValue('status:failed status:running');
  await field.fill('thread:one -status:failed');
  await expect(page.getByText('1 of 3 shown')).toBeVisible();
  await expect(console.row(runs.key)).toBeVisible();
  await chips.getByRole('button', { name: 'Do not filter by thread one' }).click();
  await expect(field).toHaveValue('-status:failed');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(console.row(failed.key)).toBeVisible();
  await field.fill('nothing like it');
  await expect(page.getByText('No process matches “nothing”.')).toBeVisible();
});

test('what hides in a name is seen in the filter, too', async ({ agent, console }) => {
  const { page } = console;
  const { key } = await agent.start(SLEEP, { metadata: { toolCallId: 'a\u202eb', threadId: 'c\u202ed' } });
  await agent.start(SLEEP);
  await console.row(key).getByRole('button', { name: 'a\\u202eb' }).click();
  const field = page.getByLabel('Filter processes');
  await expect(field).toHaveValue('call:a\\u202eb');
  await expect(page.getByText('1 of 2 shown')).toBeVisible();
  await field.fill('\u202enothing');
  await expect(page.getByText('No process matches “\\u202enothing”.')).toBeVisible();
  await field.fill('');
  await expect(page.locator('datalist option[value^="thread:"]')).toHaveAttribute(
    'value',
    'thread:c\\u202ed',
  );
});

test('j, k, Enter and / do in the list what they do elsewhere', async ({ agent, console }) => {
  const { page } = console;
  const first = await agent.start(sh('cat'), { tty: true });
  const second = await agent.start(sh('cat'), { tty: true });
  await expect(console.row(second.key)).toBeVisible();
  await console.row(second.key).focus();
  await page.keyboard.press('j');
  await expect(console.row(first.key)).toBeFocused();
  await page.keyboard.press('k');
  await expect(console.row(second.key)).toBeFocused();
  await page.keyboard.press('k');
  const title = page.locator('.process-group-title');
  await expect(title).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(title).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Enter');
  await expect(title).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('End');
  await expect(console.row(first.key)).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('cat');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await expect(console.row(second.key)).toBeFocused();
  await expect(console.row(second.key)).toContainText('waits for input');
  await page.keyboard.press('Enter');
  await expect(console.pane(second.key)).toBeVisible();
  await page.keyboard.type('typed\n');
  await console.shows(second.key, 'typed');
});

test('what is finished is cleared from the list, here and after a reload, and comes back', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const runs = await agent.start(sh('read x'), { pipeStdin: true });
  const done = await agent.start(sh('echo done'));
  const failed = await agent.start(sh('exit 1'));
  await page.getByRole('button', { name: 'Clear 2 finished' }).click();
  await expect(console.row(done.key)).toBeHidden();
  await expect(console.row(failed.key)).toBeHidden();
  await expect(console.row(runs.key)).toBeVisible();
  await expect(page.getByText('2 cleared')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.reload();
  await console.isOnline();
  await expect(console.row(runs.key)).toBeVisible();
  await expect(console.row(done.key)).toBeHidden();
  await agent.write({ processId: runs.processId }, 'end\n');
  await expect(console.row(runs.key)).not.toHaveAttribute('data-process-status', 'running');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(console.row(done.key)).toBeVisible();
  await expect(console.row(failed.key)).toBeVisible();
});

const MANY = 10_000;

test('ten thousand finished rows are only drawn where one looks, and the keys go through all of them', async ({
  agent,
  gateway,
  page,
}) => {
  const { key } = await agent.start(SLEEP);
  // What the gateway tells of one process it tells of ten thousand more that have ended.
  await page.routeWebSocket(
    (url) => url.pathname === '/',
    (ws) => {
      const server = ws.connectToServer();
      server.onMessage((message) => {
        const told = JSON.parse(String(message)) as {
          result?: { processes?: object[]; sessions?: object[] };
        };
        const [known] = told.result?.sessions ? (told.result.processes ?? []) : [];
        if (!known) return ws.send(message);
        const done = { ...known, state: 'closed', exitCode: 0, exitedAtMs: Date.now() };
        const many = Array.from({ length: MANY }, (_, i) => ({ ...done, key: `k${i}`, startedAtMs: i }));
        ws.send(JSON.stringify({ ...told, result: { ...told.result, processes: [known, ...many] } }));
      });
    },
  );
  const console = await ConsolePage.of(page, gateway);
  const grid = page.getByRole('treegrid', { name: 'Processes' });
  const older = page.getByRole('row', { name: `${MANY - 5} more finished` });
  await expect(grid).toHaveAttribute('aria-rowcount', '8');
  await older.click();
  await expect(older).toHaveAttribute('aria-expanded', 'true');
  await expect(grid).toHaveAttribute('aria-rowcount', String(MANY + 3));
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await console.row(key).focus();
  await page.keyboard.press('End');
  await expect(console.row('k0')).toBeFocused();
  await expect(console.row('k0')).toHaveAttribute('aria-rowindex', String(MANY + 3));
  await page.keyboard.press('k');
  await expect(console.row('k1')).toBeFocused();
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  // The focus survives that its row is scrolled out of sight, and goes on from there.
  await page.locator('.process-list-rows').evaluate((list) => list.scrollTo(0, 0));
  await expect(console.row(key)).toBeVisible();
  await page.keyboard.press('k');
  await expect(console.row('k2')).toBeFocused();
  await expect(console.row('k2')).toBeInViewport();
  await page.getByLabel('Filter processes').fill('status:running');
  await expect(console.row(key)).toBeVisible();
});
