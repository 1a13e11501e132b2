// The report of an absence: what each agent did since the person's last visit, even before a restart of the gateway.
import type { ApprovalsResult } from '../protocol/approvals.ts';
import type { HistoryResult } from '../protocol/history.ts';
import { expect, test, ConsolePage } from './fixtures.ts';
import { Gateway } from './gateway.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];

test.describe(() => {
  test.use({ flags: ['--approvals', 'always'] });

  test('the report lists what failed, was stopped and was decided, with names, and opens each process', async ({
    page,
    agent,
    console,
    gateway,
  }) => {
    const operator = await gateway.operator();
    const decide = async (argv: string[], decision: string): Promise<string | null> => {
      const started = agent.start(argv).then(
        ({ key }) => key,
        () => null,
      );
      const idOf = async (): Promise<string | undefined> => {
        const { approvals } = await operator.request<ApprovalsResult>('console/approvals', {});
        return approvals.find((each) => each.argv.join(' ') === argv.join(' '))?.id;
      };
      await expect.poll(idOf).toBeDefined();
      await operator.request('console/decide', { id: await idOf(), decision });
      return started;
    };
    const failed = await decide(sh('echo no such target; exit 3'), 'accept');
    const stopped = await decide(sh('exec sleep 1000'), 'accept');
    expect(await decide(['rm', '-rf', 'everything'], 'decline')).toBeNull();
    await expect(console.row(failed ?? '')).toContainText('failed');
    await operator.request('process/terminate', { key: stopped ?? '', graceMs: 0 });
    await expect(console.row(stopped ?? '')).toContainText('killed by Ada');

    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ])
      await test.step(`${viewport.width} px wide`, async () => {
        await page.setViewportSize(viewport);
        await console.closePanes();
        await page.keyboard.press('Control+Shift+P');
        await page.keyboard.type('report');
        await page.keyboard.press('Enter');
        const report = page.getByRole('dialog', { name: 'While you were away' });
        await report.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Last hour' });
        await expect(report.getByRole('list', { name: 'Failed' }).getByRole('listitem')).toContainText(
          'exit 3',
        );
        await expect(report.getByRole('list', { name: 'Stopped' }).getByRole('listitem')).toContainText(
          'killed by Ada',
        );
        const decisions = report.getByRole('list', { name: 'Approvals' }).getByRole('listitem');
        await expect(decisions).toHaveText([
          /rm -rf everything.*Declined by Ada/,
          /sleep 1000.*Approved once by Ada/,
          /exit 3.*Approved once by Ada/,
        ]);
        expect(await report.evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true);
        await report.getByRole('list', { name: 'Failed' }).getByRole('button').click();
        await expect(report).toBeHidden();
        await console.shows(failed ?? '', 'no such target');
      });
  });
});

test('the report and the audit log show decisions that were made before the gateway was killed', async ({
  page,
}) => {
  const flags = ['--approvals', 'always'];
  const first = await Gateway.start({ flags });
  const [agent, operator] = [await first.agent(), await first.operator()];
  const decide = async (decision: string): Promise<void> => {
    const waiting = async (): Promise<ApprovalsResult['approvals']> =>
      (await operator.request<ApprovalsResult>('console/approvals', {})).approvals;
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await operator.request('console/decide', { id: (await waiting())[0]?.id, decision });
  };
  const started = agent.start(['sleep', '1000']);
  await decide('accept');
  const { key } = await started;
  const refused = expect(agent.start(['rm', '-rf', 'everything'])).rejects.toThrow('declined by Ada');
  await decide('decline');
  await refused;
  await operator.request('process/terminate', { key, graceMs: 0 });
  const recorded = async (): Promise<unknown> => {
    const { processes } = await operator.request<HistoryResult>('console/history', {});
    return processes.find((each) => each.key === key)?.state;
  };
  await expect.poll(recorded).toBe('closed');
  await first.kill();
  const next = await first.startAgain(flags);
  try {
    const console = new ConsolePage(page);
    await page.goto(await next.freshLink('operator', 'Eve'));
    await console.isOnline();
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('report');
    await page.keyboard.press('Enter');
    const report = page.getByRole('dialog', { name: 'While you were away' });
    await report.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Last hour' });
    // All decisions and processes belong to one agent.
    await expect(report.getByRole('region')).toHaveCount(1);
    await expect(report.getByRole('list', { name: 'Approvals' }).getByRole('listitem')).toHaveText([
      /rm -rf everything.*Declined by Ada/,
      /sleep 1000.*Approved once by Ada/,
    ]);
    await expect(report.getByRole('list', { name: 'Stopped' }).getByRole('listitem')).toContainText('by Ada');
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('audit log');
    await page.keyboard.press('Enter');
    const log = page.getByRole('dialog', { name: 'Audit log' });
    await log.getByRole('combobox', { name: 'Who' }).selectOption({ label: 'Ada' });
    for (const words of ['approved sleep 1000', 'declined rm -rf everything', 'terminated the process'])
      await expect(log.getByRole('row').filter({ hasText: words })).toHaveCount(1);
  } finally {
    await next.stop();
  }
});
