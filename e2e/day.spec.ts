// A day of an agent, and twelve questions about it. Each is answered in a limited number of steps: clicks, keys, or
// typed texts.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { HistoryResult } from '../protocol/history.ts';
import type { ApprovalsResult } from '../protocol/approvals.ts';
import { ConsolePage, expect, sh, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';
import { WITHOUT_KEEPER } from '../server/testing/keeper-tests.ts';

const FLAGS = ['--approvals', 'always', ...WITHOUT_KEEPER];

const NPM_TEST = `seq -f '  ok %g' 1 30000; echo 'Error: price.test.ts: expected 3, got 4'; seq -f '  ok %g' 30001 30400
echo 'Error: 1 test failed'; exit 1`;

class Steps {
  readonly #page: Page;
  count = 0;
  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.count += 1;
    await target.click();
  }

  async press(key: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.insertText(text);
  }

  async choose(select: Locator, label: string): Promise<void> {
    this.count += 2;
    await select.selectOption({ label });
  }
}

const replayed = (page: Page, key: string): Promise<string | undefined> =>
  page.evaluate((of) => window.execConsole.replayScreen(of)?.lines.join('\n').trim(), key);

/** Runs the processes of the day; resolves with the keys of four of them, by their outcome. */
async function spend(gateway: Gateway) {
  const agent = await gateway.agent();
  const operator = await gateway.operator();
  const approve = async (argv: readonly string[]): Promise<void> => {
    const idOf = async () =>
      (await operator.request<ApprovalsResult>('console/approvals', {})).approvals.find(
        (each) => each.argv.join(' ') === argv.join(' '),
      )?.id;
    await expect.poll(idOf).toBeDefined();
    await operator.request('console/decide', { id: await idOf(), decision: 'accept' });
  };
  const run = async (argv: string[], options: Record<string, unknown> = {}): Promise<string> => {
    const started = agent.start(argv, options);
    await approve(argv);
    const { processId, key } = await started;
    await agent.request('process/wait', { processId, until: 'closed', waitMs: 30_000 });
    return key;
  };
  await run(sh('echo added 215 packages'));
  const failed = await run(sh(NPM_TEST), { cwd: 'file:///usr' });
  const build = agent.start(sh('echo compiling; exec sleep 1000'));
  await approve(sh('echo compiling; exec sleep 1000'));
  const stopped = await build;
  await agent.waitOutput(stopped.processId, 'compiling');
  await operator.request('process/terminate', { key: stopped.key, graceMs: 0 });
  await agent.request('process/wait', { processId: stopped.processId, until: 'closed', waitMs: 30_000 });
  const shell = agent.start(sh('printf "Password? "; read x; sleep 1; echo welcome'), { tty: true });
  await approve(sh('printf "Password? "; read x; sleep 1; echo welcome'));
  const typed = await shell;
  await agent.waitOutput(typed.processId, 'Password?');
  await operator.request('process/control', { key: typed.key, take: true });
  await operator.request('process/write', {
    key: typed.key,
    chunk: Buffer.from('secret\r').toString('base64'),
    writeId: 'typed',
  });
  await agent.request('process/wait', { processId: typed.processId, until: 'closed', waitMs: 30_000 });
  const half = agent.start(sh('echo half done; exec sleep 1000'));
  await approve(sh('echo half done; exec sleep 1000'));
  const lost = await half;
  await agent.waitOutput(lost.processId, 'half done');
  const recorded = async () =>
    (await agent.request<HistoryResult>('console/history', {})).processes.filter(
      ({ recordedBytes }) => recordedBytes > 0,
    ).length;
  await expect.poll(recorded).toBe(5);
  return { lost: lost.key, failed, stopped: stopped.key, typed: typed.key };
}

test('twelve questions about a day are answered in few steps, after a restart of the gateway', async ({
  page,
}) => {
  const first = await Gateway.start({ flags: FLAGS });
  const keys = await spend(first);
  await first.kill();
  const next = await first.startAgain(FLAGS);
  try {
    const console = new ConsolePage(page);
    await page.goto(await next.freshLink('admin'));
    await console.isOnline();
    const dialog = page.getByRole('dialog', { name: 'History' });
    const rows = dialog.locator('button.history-row');
    const history = page.getByRole('button', { name: 'History', exact: true });
    const bar = page.getByRole('region', { name: 'Search results' });

    /** Runs `answer`, and fails if it takes more than `most` steps. */
    const question = (title: string, most: number, answer: (steps: Steps) => Promise<void>) =>
      test.step(title, async () => {
        const steps = new Steps(page);
        await answer(steps);
        expect(steps.count, `steps to answer "${title}"`).toBeLessThanOrEqual(most);
      });
    const leave = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toHaveCount(0);
    };

    await question('Which command failed?', 2, async (steps) => {
      await steps.click(history);
      await steps.click(dialog.getByRole('button', { name: 'Failed', exact: true }));
      await expect(rows.filter({ hasText: 'exit 1' })).toHaveCount(1);
    });
    await leave();

    await question('What were its first and last errors?', 4, async (steps) => {
      await steps.click(history);
      await steps.type('Error:');
      const hits = dialog.locator('button.history-hit');
      await expect(hits).toHaveCount(2);
      await steps.click(hits.last());
      await expect(console.pane(keys.failed).locator('.log-row.target')).toContainText('expected 3, got 4');
      await expect(bar).toContainText('2 of 2');
      await steps.click(bar.getByRole('button', { name: 'Previous search result' }));
      await expect(console.pane(keys.failed).locator('.log-row.target')).toContainText('1 test failed');
      await expect(bar).toContainText('1 of 2');
    });
    await bar.getByRole('button', { name: 'Close search results' }).click();

    await question('Who stopped the build?', 1, async (steps) => {
      await steps.click(history);
      await expect(rows.filter({ hasText: 'compiling' })).toContainText('killed by Ada');
    });
    await leave();

    await question('What ran before the failed test?', 1, async (steps) => {
      await steps.click(history);
      const before = rows
        .filter({ hasText: 'exit 1' })
        .locator('xpath=ancestor::li/following-sibling::li[1]');
      await expect(before).toContainText('added 215 packages');
    });
    await leave();

    await question('What ran in the last ten minutes in /usr?', 4, async (steps) => {
      await steps.click(history);
      await steps.click(dialog.getByRole('button', { name: 'Last 10m' }));
      await steps.choose(dialog.getByRole('combobox', { name: 'Folder' }), '/usr');
      await expect(rows).toHaveCount(1);
      await expect(rows).toContainText('exit 1');
    });
    await leave();

    await question('Which command printed "215 packages"?', 2, async (steps) => {
      await steps.click(history);
      await steps.type('215 packages');
      await expect(dialog.locator('.history-found')).toHaveCount(1);
      await expect(dialog.locator('.history-found')).toContainText('added 215');
    });
    await leave();

    await question('What is the first of its 30,402 lines?', 3, async (steps) => {
      await steps.click(history);
      await steps.click(rows.filter({ hasText: 'exit 1' }));
      await expect(console.pane(keys.failed)).toHaveAttribute('data-output-complete', 'true');
      await steps.press('Home');
      await expect(
        console.pane(keys.failed).locator('.log-row.stdout:not(.log-probe)').first(),
      ).toContainText(/ok 1$/);
    });

    await question('Save all of it', 2, async (steps) => {
      await steps.click(console.pane(keys.failed).getByRole('button', { name: 'More' }));
      const download = page.waitForEvent('download');
      await steps.click(page.getByRole('menuitem', { name: 'Save as text' }));
      const text = readFileSync(await (await download).path(), 'utf8');
      expect(text.trimEnd().split('\n')).toHaveLength(30_402);
    });

    await question('What did the terminal show when Ada typed?', 4, async (steps) => {
      await steps.click(history);
      await steps.click(rows.filter({ hasText: 'Password' }));
      await expect(console.pane(keys.typed)).toHaveAttribute('data-output-complete', 'true');
      await console.leaveTerminal(keys.typed);
      await steps.press('p');
      await expect(page.locator('.replay')).toHaveAttribute('data-replay-state', 'paused');
      await steps.press(']');
      await expect.poll(() => replayed(page, keys.typed)).toMatch(/^Password\?( secret)?$/);
    });

    await question('Send that moment to a colleague', 1, async (steps) => {
      await steps.click(page.getByRole('button', { name: 'Copy link to this moment' }));
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(copied).toContain(`#${keys.typed}:T`);
      const other = await page.context().newPage();
      await other.goto(await copied());
      await new ConsolePage(other).isOnline();
      await expect.poll(() => replayed(other, keys.typed)).toMatch(/^Password\?( secret)?$/);
      await other.close();
    });

    await question('What had a command printed before it was lost with its gateway?', 2, async (steps) => {
      await steps.click(history);
      await steps.click(rows.filter({ hasText: 'half done' }));
      await console.shows(keys.lost, 'half done');
      await expect(console.pane(keys.lost)).toHaveAttribute('data-process-status', 'lost');
    });

    await test.step('a reload shows the same panes', async () => {
      await page.reload();
      await console.isOnline();
      await console.shows(keys.lost, 'half done');
      await expect(page.getByRole('tab')).toHaveText([/seq/, /Password/, /half done/]);
    });

    await question('How long did the terminal run, and how much did it print?', 1, async (steps) => {
      await steps.click(history);
      await expect(rows.filter({ hasText: 'Password' })).toContainText(/[1-9]s27 bytes/);
    });
  } finally {
    await next.stop();
  }
});
