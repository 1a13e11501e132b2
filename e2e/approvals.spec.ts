// A start that waits for a person, as the page shows it: nothing of it runs, and nothing of it stays when it is decided.
import { expect, test, ConsolePage } from './fixtures.ts';
import { Gateway } from './gateway.ts';

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport });
    test('a start that waits for approval shows its whole command, and leaves no lost process behind', async ({
      page,
    }) => {
      const gateway = await Gateway.start({ flags: ['--approvals', 'always'] });
      try {
        const [agent, operator] = [await gateway.agent(), await gateway.operator()];
        const console = await ConsolePage.of(page, gateway);
        const argv = ['bash', '-c', `echo ${'long '.repeat(40)}; exec sleep 1000`];
        const started = agent.start(argv, { tty: true });
        const row = page.getByRole('row', { name: /waiting for approval/ });
        await row.click();
        const pane = page.getByRole('region', { name: /^Waiting for approval/ });
        await expect(pane).toContainText('It has not started.');
        await expect(pane).toContainText('exec sleep 1000');
        const id = await pane.getAttribute('data-process-key');
        await expect(pane).toContainText(`exec-console approve ${id}`);
        await expect(pane.getByRole('button', { name: 'Terminate' })).toHaveCount(0);
        await operator.request('console/decide', { id: String(id), decision: 'accept' });
        const { key } = await started;
        await expect(page.getByText('This request no longer waits.')).toBeVisible();
        await page.getByRole('button', { name: 'Close tab' }).last().click();
        await expect(console.row(key)).toContainText('running');
        await expect(row).toHaveCount(0);
        await expect(page.getByText('lost', { exact: true })).toHaveCount(0);
      } finally {
        await gateway.stop();
      }
    });
  });
