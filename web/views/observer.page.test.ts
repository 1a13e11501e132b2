// An observer's page offers no forbidden actions, and the keys of such actions explain why they are forbidden.
import { expect as expectValue, it } from 'vitest';
import { expect, newPage, sh, type TestPage } from '../testing/page.ts';

async function observersPage(): Promise<TestPage> {
  const page = newPage();
  page.gateway.role = 'observer';
  return page.load();
}

const textsOf = (found: readonly Element[]): string[] => found.map(({ textContent }) => textContent);

it('an empty page explains to an observer that an operator can create a token for an agent', async () => {
  const page = await observersPage();
  const card = page.locator('.overview-card');
  await expect(card).toContainText('An operator can create one on this page');
  await expect(card.getByRole('button', { name: /Create token/ })).toHaveCount(0);
});

it('a pane offers an observer neither a stdin line nor the keyboard', async () => {
  const page = await observersPage();
  const piped = page.agent.start(['cat'], { pipeStdin: true });
  const terminal = page.agent.start(['sleep', '1000'], { tty: true });
  const pane = await page.open(piped.key);
  await expect(pane.getByText('running').first()).toBeVisible();
  await expect(pane.getByRole('textbox', { name: 'Send a line to stdin' })).toHaveCount(0);
  const other = await page.open(terminal.key);
  await expect(page.pane(terminal.key)).toBeFocused();
  await expect(other.getByRole('button', { name: /to type|Type|Typing/ })).toHaveCount(0);
});

it('an observer is offered no actions in panes, menus, keys or the palette, and the keys explain why', async () => {
  const page = await observersPage();
  const { key } = page.agent.start(sh('exec cat'), { tty: true });
  const ended = page.agent.start(sh('exit 3'));
  ended.ends(3);
  await expect(page.getByRole('button', { name: 'Commands' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'New process' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start a process' })).toHaveCount(0);
  await page.open(ended.key);
  const pane = await page.open(key);
  await expect(pane.getByRole('button', { name: 'Search in this pane' })).toBeVisible();
  for (const name of ['Take control', 'Interrupt', 'Terminate', 'Restart', 'Change who has control'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await pane.getByRole('button', { name: 'More', exact: true }).click();
  const items = textsOf(pane.getByRole('menuitem').all());
  expectValue(items).not.toEqual([]);
  const acts = /terminate|interrupt|control|start|suspend|resume|kill/i;
  expectValue(items.filter((text) => acts.test(text))).toEqual([]);
  await page.keyboard.press('Escape');

  for (const stroke of ['i', 'x', 'n']) {
    await page.row(key).focus();
    await page.keyboard.press(stroke);
    const why = page.getByRole('alert').filter({ hasText: 'Read-only' });
    await expect(why).toBeVisible();
    await why.getByRole('button', { name: 'Dismiss' }).click();
  }
  await page.getByRole('button', { name: 'Commands' }).click();
  for (const words of ['new process', 'terminate', 'restart', 'control']) {
    await page.getByRole('combobox').last().fill(words);
    const offered = textsOf(page.getByRole('dialog').getByRole('option').all());
    expectValue(offered.filter((text) => /^(New process|Terminate|Start|Take|Give|End)/.test(text))).toEqual(
      [],
    );
  }
  await page.keyboard.press('Escape');
  await expect(page.row(key)).toHaveAttribute('data-process-status', 'running');
});
