// Policies, pauses and rules in the page, and commands that only people may run.
import { it } from 'vitest';
import { expect, newPage, type TestPage } from '../../testing/page.ts';
import { PageApprovals } from '../../testing/page-approvals.ts';

const CHANGED = { file: 'default.rules', accepted: 'a\nb\nc\n', found: 'a\nB\nc\n' };
const CHECK = {
  argv: [],
  decision: 'forbidden',
  matchedRules: [
    {
      rule: 'prefix_rule(pattern=["rm"])',
      file: 'team.rules',
      line: 3,
      decision: 'forbidden',
      justification: 'ask Ada',
    },
  ],
  parts: [],
  complex: null,
  verdicts: {
    never: { verdict: 'refuse', reason: 'a rule forbids it' },
    'on-request': { verdict: 'refuse', reason: 'a rule forbids it' },
    'on-failure': { verdict: 'refuse', reason: 'a rule forbids it' },
    always: { verdict: 'refuse', reason: 'a rule forbids it' },
  },
  proposedRules: [],
} as const;

async function open(prepare: (page: TestPage, approvals: PageApprovals) => void = () => undefined) {
  const page = newPage();
  const approvals = new PageApprovals(page.gateway);
  prepare(page, approvals);
  await page.load();
  return { page, approvals };
}

/** Returns the params of the page's requests of a method, in order. */
const askedFor = (page: TestPage, method: string): unknown[] =>
  page.gateway.fake.requests.filter((each) => each.method === method).map(({ params }) => params);

it('a policy is set for all agents, and an individual agent’s policy is shown', async () => {
  const { page, approvals } = await open(({ gateway }, { settings }) => {
    gateway.answer('console/setPolicy', () => ({}));
    gateway.answer('console/rules', () => ({ files: [], changed: [], tightened: settings.tightened }));
  });
  await page.getByRole('button', { name: 'Approval settings' }).click();
  await page.getByText('Open approval settings …').click();
  const dialog = page.getByRole('dialog', { name: 'Approval settings' });
  await expect(dialog.getByRole('radio', { name: /about everything/ })).toBeChecked();
  await dialog.getByRole('radio', { name: /Never ask/ }).check();
  await expect.poll(() => askedFor(page, 'console/setPolicy')).toEqual([{ policy: 'never' }]);
  approvals.set({ agents: [{ agent: 'bot', policy: 'on-request' }] });
  await expect(dialog).toContainText('bot');
});

it('a refused change of the policy is reported in the dialog, each time', async () => {
  const { page } = await open(({ gateway }) => {
    gateway.answer('console/setPolicy', () => new Error('not now'));
    gateway.answer('console/rules', () => ({ files: [], changed: [], tightened: null }));
  });
  await page.getByRole('button', { name: 'Approval settings' }).click();
  await page.getByText('Open approval settings …').click();
  const dialog = page.getByRole('dialog', { name: 'Approval settings' });
  const alert = dialog.getByRole('alert');
  const choose = (): Promise<void> => dialog.getByRole('radio', { name: /Never ask/ }).click();
  await choose();
  await expect(alert).toContainText('Policy not changed: not now');
  const first = await alert.element();
  await choose();
  // Screen readers announce a new element again, even if its text is the same.
  await expect.poll(() => first.isConnected).toBe(false);
  await expect(alert).toContainText('Policy not changed: not now');
});

it('rules that were changed elsewhere are shown as a diff, which only an admin can accept', async () => {
  const rules = { files: [], changed: [CHANGED], tightened: 'default.rules was changed' };
  for (const role of ['operator', 'admin'] as const) {
    const { page } = await open(({ gateway }, approvals) => {
      gateway.role = role;
      approvals.settings = { ...approvals.settings, tightened: rules.tightened };
      gateway.answer('console/rules', () => rules);
      gateway.answer('console/acceptRules', () => ({}));
    });
    const region = page.getByRole('region', { name: 'Approvals' });
    await expect(region).toContainText('Every new command waits: default.rules was changed');
    await region.getByRole('button', { name: 'Rules …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approval settings' });
    await expect(dialog.locator('[data-sign="-"]')).toHaveText('- b');
    await expect(dialog.locator('[data-sign="+"]')).toHaveText('+ B');
    await expect(dialog.locator('[data-sign]')).toHaveCount(4);
    const accept = dialog.getByRole('button', { name: 'Accept these changes' });
    if (role === 'operator') await expect(accept).toHaveCount(0);
    else {
      await accept.click();
      await expect.poll(() => askedFor(page, 'console/acceptRules')).toEqual([{ changed: [CHANGED] }]);
    }
    page.close();
  }
});

it('edited rules stay when the rules change meanwhile, and then replace nothing', async () => {
  let text = 'one\n';
  const { page } = await open(({ gateway }) => {
    gateway.role = 'admin';
    gateway.answer('console/rules', () => ({
      files: [{ file: 'default.rules', text }],
      changed: [],
      tightened: null,
    }));
    gateway.answer('console/addRule', () => ({}));
    gateway.answer('console/writeRules', (params) => {
      text = String(params['text']);
      return {};
    });
  });
  await page.getByRole('button', { name: 'Approval settings' }).click();
  await page.getByText('Open approval settings …').click();
  const dialog = page.getByRole('dialog', { name: 'Approval settings' });
  await dialog.getByText('default.rules').click();
  const editor = dialog.getByRole('textbox', { name: 'Rules' });
  const save = dialog.getByRole('button', { name: 'Save rules' });
  await editor.fill('one\nmine\n');
  text = 'one\ntheirs\n';
  await dialog.getByLabel('Allow commands that begin with').fill('npm test');
  await dialog.getByRole('button', { name: 'Allow' }).click();
  await expect(dialog).toContainText('The rules have changed since you began to edit them');
  await expect(editor).toHaveValue('one\nmine\n');
  await expect(save).toBeDisabled();
  await dialog.getByRole('button', { name: 'Show the current rules' }).click();
  await expect(editor).toHaveValue('one\ntheirs\n');
  await editor.fill('one\ntheirs\nmine\n');
  await save.click();
  const saved = { text: 'one\ntheirs\nmine\n', before: 'one\ntheirs\n' };
  await expect.poll(() => askedFor(page, 'console/writeRules')).toEqual([saved]);
  await expect(save).toBeDisabled();
});

it('the command of a row is checked against the rules, also for agents with a policy of their own', async () => {
  const verdicts = { ...CHECK.verdicts, always: { verdict: 'ask', reason: 'no rule allows it' } } as const;
  const { page, approvals } = await open(({ gateway }) => {
    gateway.answer('console/checkCommand', ({ argv }) => ({ ...CHECK, verdicts, argv: argv as string[] }));
    gateway.answer('console/rules', () => ({ files: [], changed: [], tightened: null }));
  });
  const agents = [
    { agent: 'bot', policy: 'always' },
    { agent: 'other', policy: 'on-request' },
  ] as const;
  approvals.set({ policy: 'never', agents });
  const process = page.agent.start(['rm', '-rf', 'build dir']);
  await page.row(process.key).focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('check this command');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Approval settings' });
  await expect(dialog).toContainText(
    'With the policy for all agents, the command is refused: a rule forbids it.',
  );
  await expect(dialog).toContainText('With the policy for bot, it waits for approval.');
  await expect(dialog).not.toContainText('With the policy for other');
  await expect(dialog).toContainText('team.rules, line 3');
  expect(askedFor(page, 'console/checkCommand')).toEqual([{ argv: ['rm', '-rf', 'build dir'] }]);
  await dialog.getByLabel('Command to check').fill('ls');
  await expect(dialog).not.toContainText('With the policy for all agents');
});

it('a person is warned once before they start a command that a rule forbids to agents', async () => {
  const { page, approvals } = await open(({ gateway }) => {
    gateway.answer('console/checkCommand', ({ argv }) => ({ ...CHECK, argv: argv as string[] }));
  });
  const start = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
  };
  approvals.set({ forbids: true });
  await page.getByRole('button', { name: 'New process' }).click();
  await page.getByRole('dialog').getByLabel('Command').fill('rm -rf build');
  await start();
  await expect(page.getByRole('alert')).toContainText('forbids agents to run this: ask Ada');
  expect(askedFor(page, 'process/start')).toEqual([]);
  await start();
  await expect.poll(() => askedFor(page, 'process/start')).toHaveLength(1);
});

it('a process that its sandbox blocked is restarted without the sandbox', async () => {
  const { page } = await open();
  const process = page.agent.start(['make'], { sandbox: 'read-only', restartable: true });
  process.report({ sandboxDenied: true });
  process.ends(1);
  const pane = await page.open(process.key);
  const run = pane.getByRole('button', { name: 'Run again without the sandbox' });
  await expect(run).toHaveAttribute('aria-disabled', 'false');
  await run.click();
  await expect
    .poll(() => askedFor(page, 'process/restart'))
    .toMatchObject([{ key: process.key, withoutSandbox: true }]);
});

const PAUSE = {
  agent: 'token',
  session: 's1',
  thread: null,
  why: 'paused',
  by: 'page',
  atMs: 0,
  id: 'h-1',
} as const;

it('the menu of a session pauses its starts', async () => {
  const { page } = await open(({ gateway }) => gateway.answer('console/pause', () => ({ pause: PAUSE })));
  page.agent.start(['make']);
  await page.getByRole('button', { name: 'Actions for test' }).click();
  await page.getByRole('menuitem', { name: 'Pause this session: hold new commands' }).click();
  await expect.poll(() => askedFor(page, 'console/pause')).toEqual([{ session: 's1' }]);
});

it('the menu of a paused session unpauses its starts', async () => {
  const { page } = await open(({ gateway }, approvals) => {
    approvals.settings = { ...approvals.settings, pauses: [PAUSE] };
    gateway.answer('console/unpause', () => ({ lifted: [PAUSE] }));
  });
  page.agent.start(['make']);
  await page.getByRole('button', { name: 'Actions for test' }).click();
  await page.getByRole('menuitem', { name: 'Unpause this session' }).click();
  await expect.poll(() => askedFor(page, 'console/unpause')).toEqual([{ id: 'h-1' }]);
});

it('the pause of all agents ends alone, and another command ends all pauses', async () => {
  const { page } = await open(({ gateway }, approvals) => {
    const ofAll = { ...PAUSE, id: 'h-2', agent: null, session: null };
    approvals.settings = { ...approvals.settings, pauses: [PAUSE, ofAll] };
    gateway.answer('console/unpause', () => ({ lifted: [] }));
  });
  await page.getByRole('button', { name: 'Unpause all agents' }).click();
  await page.getByRole('button', { name: 'Approval settings' }).click();
  await page.getByRole('menuitem', { name: 'Unpause all agents' }).click();
  for (const words of ['Unpause all agents', 'End all pauses']) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words);
    await expect(page.getByRole('option').first()).toContainText(words);
    await page.keyboard.press('Enter');
  }
  await expect
    .poll(() => askedFor(page, 'console/unpause'))
    .toEqual([{ id: 'h-2' }, { id: 'h-2' }, { id: 'h-2' }, { all: true }]);
});
