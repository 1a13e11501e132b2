// Reports of a page's terminal to a program: keys in the requested form, and focus while the page is in control.
import { expect, test, type ConsolePage } from './fixtures.ts';

/** Returns a program in raw mode that sends `asked` to its terminal, then prints its input as visible text. */
const reader = (asked: string): string[] => [
  '/bin/sh',
  '-c',
  `stty raw -echo; printf '${asked}ready '; exec cat -v`,
];
const control = (console: ConsolePage, key: string) =>
  console.pane(key).getByRole('button', { name: 'Take control' });

/** Resolves with the input that the program has read, which it prints after `ready`. */
const read = async (console: ConsolePage, key: string): Promise<string> =>
  (await console.text(key)).replace(/^[^]*ready ?/, '').trimEnd();

test('a program receives the focus reports and the encoding of modified keys that it requested', async ({
  agent,
  console,
}) => {
  await test.step('a program with focus reporting gets the focus with control, before any key, and loses it with control', async () => {
    const { key } = await agent.start(reader(String.raw`\033[?1004h`), { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'ready');
    await pane.locator('.xterm-screen').click();
    await control(console, key).focus();
    await console.page.keyboard.press('Enter');
    await expect(control(console, key)).toHaveAttribute('aria-pressed', 'true');
    await console.type(key, 'a');
    await expect.poll(() => read(console, key)).toBe('^[[Ia');
    await console.page.locator('body').evaluate(() => (document.activeElement as HTMLElement).blur());
    await expect.poll(() => read(console, key)).toBe('^[[Ia^[[O');
    await console.type(key, 'b');
    await expect.poll(() => read(console, key)).toBe('^[[Ia^[[O^[[Ib');
  });
  await test.step('a modified key is sent in the encoding that the program requested, also from a page opened later', async () => {
    const { key } = await agent.start(reader(String.raw`\033[>1u`), { tty: true });
    await console.open(key);
    await console.shows(key, 'ready');
    await console.type(key, 'a');
    for (const each of ['Shift+Enter', 'Control+Enter', 'Control+i']) await console.page.keyboard.press(each);
    await expect.poll(() => read(console, key)).toBe('a^[[13;2u^[[13;5u^[[105;5u');
    await console.page.reload();
    await console.open(key);
    await console.shows(key, '[105;5u');
    await console.type(key, 'b');
    await console.page.keyboard.press('Shift+Enter');
    await expect.poll(() => read(console, key)).toMatch(/b\^\[\[13;2u$/);
  });
});

test('a program loses the focus when its controller leaves, and regains it from the next one', async ({
  agent,
  console,
  pageOf,
}) => {
  const { key, processId } = await agent.start(reader(String.raw`\033[?1004h`), { tty: true });
  await console.open(key);
  await console.shows(key, 'ready');
  await control(console, key).click();
  await expect(control(console, key)).toHaveAttribute('aria-pressed', 'true');
  await console.type(key, 'a');
  await agent.waitOutput(processId, '^[[Ia');
  const other = await pageOf('Ada');
  await other.open(key);
  await other.shows(key, '^[[Ia');
  await other.type(key, 'b');
  await agent.waitOutput(processId, '^[[Iab');
  await control(other, key).click();
  await expect(control(other, key)).toHaveAttribute('aria-pressed', 'true');
  await other.type(key, 'c');
  await agent.waitOutput(processId, '^[[Ic');
  expect(agent.output(processId).toString()).toMatch(/\^\[\[Iab(?:\^\[\[O)?\^\[\[Ic$/);
  await other.page.close({ runBeforeUnload: true });
  await agent.waitOutput(processId, '^[[Ic^[[O');
});
