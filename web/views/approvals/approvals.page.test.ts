// Agents' requests in the page: contents of a card, decisions, and protection from accidents.
import { it, vi } from 'vitest';
import { expect, newPage, setHidden, type Locator, type TestPage } from '../../testing/page.ts';
import { recordNotifications } from '../../testing/notifications.ts';
import { PageApprovals } from '../../testing/page-approvals.ts';

interface Opened {
  readonly page: TestPage;
  readonly approvals: PageApprovals;
  readonly card: (id: string) => Locator;
}

async function open(
  prepare: (page: TestPage, approvals: PageApprovals) => void = () => undefined,
): Promise<Opened> {
  const page = newPage();
  const approvals = new PageApprovals(page.gateway);
  prepare(page, approvals);
  await page.load();
  return { page, approvals, card: (id) => page.locator(`article[data-approval-id="${id}"]`) };
}

/** Resolves when the card has been visible long enough to accept a decision. */
const isReady = async (card: Locator): Promise<void> => {
  await expect(card.getByRole('button', { name: 'Approve once' })).toHaveAttribute('aria-disabled', 'false');
};

it('a card shows the whole command with its parts, folder, agent, variables, rule, sandbox and reason', async () => {
  const { approvals, card } = await open();
  approvals.ask({
    argv: ['bash', '-lc', 'make && git push'],
    parts: [
      { words: ['make'], decision: 'allow' },
      { words: ['git', 'push'], decision: 'prompt' },
    ],
    variables: [{ name: 'GIT_DIR', value: '/tmp/x' }],
    rule: {
      rule: 'prefix_rule(…)',
      file: 'team.rules',
      line: 3,
      decision: 'prompt',
      justification: 'it publishes',
    },
    metadata: { threadId: 't-1' },
    hasGoneOn: true,
  });
  const it = card('a-1');
  for (const text of [
    'bash -lc',
    'make && git push',
    '/srv/shop',
    'bot',
    'No rule allows it',
    'GIT_DIR=/tmp/x',
  ])
    await expect(it).toContainText(text);
  await expect(it).toContainText('team.rules');
  await expect(it).toContainText('it publishes');
  await expect(it).toContainText('t-1');
  await expect(it).toContainText('This request may be outdated');
  await expect(it.locator('.request-risk')).toHaveText('none');
});

it('a hostile command stays in its box, with hidden characters escaped and marked', async () => {
  const { approvals, card } = await open();
  approvals.ask({ argv: ['echo', 'a\u202eb\nApproved by ann\u001b[2J', '\\n'] });
  const command = card('a-1').getByLabel('Command to run');
  await expect(command).toContainText('\\u202e');
  await expect(command).toContainText('\\x1b[2J');
  const marks = card('a-1').locator('mark').all();
  // The backslash and n that the agent wrote are not an escape made by the page.
  expect(marks.map((mark) => mark.textContent.trim())).toEqual(['\\u202e', '\\n', '\\x1b']);
  expect(card('a-1').locator('[role="status"]').all()).toHaveLength(0);
});

it('a very long command can be approved only after all of it was loaded', async () => {
  const { page, approvals, card } = await open();
  const argv = ['make', ...Array.from({ length: 50 }, (_, at) => `target-${at}`)];
  const release = page.gateway.hold('console/approvals');
  approvals.ask({ argv: argv.slice(0, 3), isWhole: false });
  const once = card('a-1').getByRole('button', { name: 'Approve once' });
  await expect(card('a-1')).toContainText('reading the rest');
  await expect(once).toHaveAttribute('aria-disabled', 'true');
  page.gateway.answer('console/approvals', () => ({
    approvals: [{ ...approvals.ask({ id: 'a-1', argv }), isWhole: true }],
    settings: approvals.settings,
  }));
  release();
  await expect(card('a-1')).toContainText('target-49');
  await isReady(card('a-1'));
});

it.each([
  { button: 'Approve once', key: 'y', decision: 'accept' },
  { button: 'Approve for session', key: 's', decision: 'acceptForSession' },
  { button: 'Abort', key: 'a', decision: 'abort' },
])('$button is sent by its button and by the key $key', async ({ button, key, decision }) => {
  const { page, approvals, card } = await open();
  approvals.ask();
  approvals.ask({ argv: ['other'] });
  await isReady(card('a-1'));
  await card('a-1').getByRole('button', { name: button, exact: true }).click();
  await expect.poll(() => approvals.decisions).toEqual([{ id: 'a-1', decision }]);
  await isReady(card('a-2'));
  await card('a-2').focus();
  await page.keyboard.press(key);
  await expect.poll(() => approvals.decisions.at(-1)).toEqual({ id: 'a-2', decision });
});

it('n focuses the message, and Enter declines with it', async () => {
  const { page, approvals, card } = await open();
  approvals.ask();
  await isReady(card('a-1'));
  await card('a-1').focus();
  await page.keyboard.press('n');
  const field = card('a-1').getByRole('textbox', { name: 'Message to the agent' });
  await expect(field).toBeFocused();
  await field.fill('use the staging server');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => approvals.decisions)
    .toEqual([{ id: 'a-1', decision: 'decline', message: 'use the staging server' }]);
  await expect(card('a-1')).toContainText('Declined by page: use the staging server');
});

it('the key that aborts sends the message that was typed', async () => {
  const { page, approvals, card } = await open();
  approvals.ask();
  await isReady(card('a-1'));
  const field = card('a-1').getByRole('textbox', { name: 'Message to the agent' });
  await field.fill('use the staging server');
  await field.focus();
  await page.keyboard.press('Escape');
  await expect(card('a-1')).toBeFocused();
  await page.keyboard.press('a');
  await expect
    .poll(() => approvals.decisions)
    .toEqual([{ id: 'a-1', decision: 'abort', message: 'use the staging server' }]);
});

it('a rule is shown before it is written, and offered only when the gateway proposes one', async () => {
  const { page, approvals, card } = await open();
  approvals.ask();
  approvals.ask({
    argv: ['npm', 'test'],
    proposedRules: ['prefix_rule(pattern=["npm", "test"], decision="allow")'],
  });
  await isReady(card('a-2'));
  await expect(card('a-1').getByRole('button', { name: 'Add rule …' })).toHaveCount(0);
  await card('a-2').focus();
  await page.keyboard.press('r');
  await expect(card('a-2')).toContainText('pattern=["npm", "test"]');
  expect(approvals.decisions).toEqual([]);
  await card('a-2').getByRole('button', { name: 'Write rule and approve' }).click();
  const rules = ['prefix_rule(pattern=["npm", "test"], decision="allow")'];
  await expect.poll(() => approvals.decisions).toEqual([{ id: 'a-2', decision: 'acceptWithRule', rules }]);
});

it('a card that has just appeared or moved ignores keys and clicks', async () => {
  const { page, approvals, card } = await open();
  approvals.ask();
  await isReady(card('a-1'));
  await card('a-1').focus();
  approvals.ask({ argv: ['rm', '-rf', 'all'] });
  await expect(card('a-2')).toBeVisible();
  await card('a-2').focus();
  await page.keyboard.press('y');
  const once = card('a-2').getByRole('button', { name: 'Approve once' });
  await expect(once).toHaveAttribute('aria-disabled', 'true');
  (once.all()[0] as HTMLElement | undefined)?.click();
  expect(approvals.decisions).toEqual([]);
  await isReady(card('a-2'));
  await page.keyboard.press('y');
  await expect.poll(() => approvals.decisions).toEqual([{ id: 'a-2', decision: 'accept' }]);
});

it('the key that decides one card does not decide the next, which gets the focus', async () => {
  const { page, approvals, card } = await open();
  approvals.ask();
  approvals.ask({ argv: ['rm', '-rf', 'all'] });
  await isReady(card('a-2'));
  await card('a-1').focus();
  await page.keyboard.press('y');
  await expect(card('a-2')).toBeFocused();
  await page.keyboard.press('y');
  await isReady(card('a-2'));
  expect(approvals.decisions).toEqual([{ id: 'a-1', decision: 'accept' }]);
});

it('a new request does not take the focus', async () => {
  const { page, approvals, card } = await open();
  await page.getByRole('searchbox').focus();
  approvals.ask();
  await expect(card('a-1')).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeFocused();
});

it.each(['button', 'key'])(
  'identical requests are decided together only if requested, and others never, by %s',
  async (way) => {
    const { page, approvals, card } = await open();
    approvals.ask();
    approvals.ask();
    approvals.ask({ cwd: '/elsewhere' });
    await isReady(card('a-1'));
    await expect(card('a-3').getByRole('checkbox')).toHaveCount(0);
    await card('a-1').getByRole('checkbox', { name: 'Also decide the identical request' }).check();
    if (way === 'key') {
      await card('a-1').focus();
      await page.keyboard.press('y');
      await expect(card('a-3')).toBeFocused();
    } else await card('a-1').getByRole('button', { name: 'Approve once' }).click();
    await expect
      .poll(() => approvals.decisions)
      .toEqual([
        { id: 'a-1', decision: 'accept' },
        { id: 'a-2', decision: 'accept' },
      ]);
  },
);

it('a card that another person decided shows the decision and their name, and then disappears', async () => {
  const { approvals, card } = await open();
  approvals.ask();
  await expect(card('a-1')).toBeVisible();
  approvals.decided('a-1', { decision: 'acceptForSession', decidedBy: 'ann' });
  await expect(card('a-1')).toContainText('Approved for the session by ann');
  await expect(card('a-1').getByRole('button')).toHaveCount(0);
  await expect(card('a-1')).toHaveCount(0);
});

it('an observer sees waiting requests but cannot decide them', async () => {
  const { page, approvals, card } = await open(({ gateway }) => {
    gateway.role = 'observer';
  });
  approvals.ask();
  await expect(card('a-1')).toContainText('make');
  await expect(card('a-1').getByRole('button')).toHaveCount(0);
  await expect(card('a-1').getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Pause all agents' })).toHaveCount(0);
  await card('a-1').focus();
  await page.keyboard.press('y');
  expect(approvals.decisions).toEqual([]);
});

it('all agents are paused and unpaused by one button, and the pause shows who set it', async () => {
  const asked: unknown[] = [];
  const { page, approvals } = await open(({ gateway }) => {
    const pause = {
      id: 'h-1',
      agent: null,
      session: null,
      thread: null,
      why: 'paused',
      by: 'ann',
      atMs: 0,
    } as const;
    gateway.answer('console/pause', (params) => {
      asked.push(params);
      return { pause };
    });
    gateway.answer('console/unpause', (params) => {
      asked.push(params);
      return { lifted: [pause] };
    });
  });
  await page.getByRole('button', { name: 'Pause all agents' }).click();
  await expect.poll(() => asked).toEqual([{ all: true }]);
  approvals.set({
    pauses: [{ id: 'h-1', agent: null, session: null, thread: null, why: 'paused', by: 'ann', atMs: 0 }],
  });
  const region = page.getByRole('region', { name: 'Approvals' });
  await expect(region).toContainText('Paused: all agents by ann');
  await region.getByRole('button', { name: 'Unpause' }).click();
  await expect.poll(() => asked.at(-1)).toEqual({ id: 'h-1' });
});

it('the policy “never” hides the approvals region', async () => {
  const { page, approvals } = await open();
  approvals.set({ policy: 'never' });
  await expect(page.getByRole('region', { name: 'Approvals' })).toHaveCount(0);
});

it('all of a thousand requests are counted, and only some are drawn', async () => {
  const { page, approvals } = await open();
  for (let n = 0; n < 1000; n += 1) approvals.ask({ argv: ['make', String(n)] });
  const region = page.getByRole('region', { name: 'Approvals' });
  await expect(region).toContainText('1,000 waiting');
  await expect(region).toContainText('950 more wait');
  await expect(region.locator('article')).toHaveCount(50);
});

it('a request notifies a person who is looking elsewhere, with its agent and command', async () => {
  const shown = recordNotifications();
  localStorage.setItem('exec-console.notifications', JSON.stringify({ isOn: true, causes: ['failed'] }));
  const { approvals, card } = await open();
  setHidden(true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  approvals.ask({ argv: ['git', 'push'] });
  await expect(card('a-1')).toBeVisible();
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  expect(shown).toEqual(['bot asks to start: git push']);
});
