// Keys go to the page or to a program: a person switches to the program on purpose, and back with one key.
import { type ConsolePage, expect, sh, SOON_WAITING, test } from './fixtures.ts';

/** Program that echoes every key as JSON; it never blocks in a read, so it does not count as waiting for input. */
const ECHO_KEYS = [
  process.execPath,
  '-e',
  `process.stdin.setRawMode(true).on('data', (data) => process.stdout.write(JSON.stringify(String(data))));
   process.stdout.write('ready ');`,
];

const keyboardOf = (console: ConsolePage, key: string) =>
  console.pane(key).getByRole('button', { name: /to type|Type|Typing/ });

test('a terminal gets the keyboard only in ways that a person intends, shows it, and returns it', async ({
  agent,
  console,
  pageOf,
}) => {
  await test.step('a held key writes nothing into the dialog that it opened, and starts one process', async () => {
    const { page } = console;
    const field = page.getByRole('dialog').getByLabel('Command');
    await hold(page, 'n', () => expect(field).toBeFocused());
    await expect(field).toHaveValue('');
    await field.fill('cat');
    await hold(page, 'Enter', () => expect(page.locator('.pane.typing')).toBeVisible());
    await page.keyboard.type('end\n');
    const [started, ...more] = await page.evaluate(() =>
      window.execConsole.processes().map(({ key }) => key),
    );
    await console.shows(started ?? '', 'end\nend');
    expect(more).toEqual([]);
    expect((await console.text(started ?? '')).trim()).toBe('end\nend');
  });
  await test.step("a person's own process opens ready to type, also later", async () => {
    const { page } = console;
    const key = await console.start('stty -icanon -echo; echo ready; while :; do sleep 0.2; done');
    await expect(keyboardOf(console, key)).toHaveText(/Typing/);
    const other = await console.start('sleep 1000');
    await console.open(key);
    await expect(keyboardOf(console, key)).toHaveText(/Typing/);
    await page.keyboard.press('Control+Shift+L');
    await expect(console.pane(key)).toBeFocused();
    await page.keyboard.press('Control+Shift+L');
    await expect(console.row(key)).toBeFocused();
    await console.row(other).press('Enter');
    await expect(keyboardOf(console, other)).toHaveText(/Typing/);
  });
  await console.closePanes();
  await test.step('an agent’s terminal does not get the keyboard when it is opened, by any means', async () => {
    const { page } = console;
    const busy = sh('echo ready; while :; do sleep 0.2; done');
    const { key, processId } = await agent.start(busy, { tty: true });
    const { key: other } = await agent.start(busy, { tty: true });
    const isPages = async (): Promise<void> => {
      await expect(console.pane(key)).toBeFocused();
      await expect(keyboardOf(console, key)).toHaveAttribute('aria-pressed', 'false');
      await expect(console.pane(key).getByText('Enter')).toBeVisible();
    };
    await console.open(key);
    await console.shows(key, 'ready');
    await isPages();
    await page.keyboard.type('yqy');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Tab');
    // None of these moves the focus into the terminal: row, tab, script, shortcut, reload, search, Escape.
    await console.row(other).press('Enter');
    await expect(console.pane(other)).toBeFocused();
    await page.getByRole('tab').first().click();
    await isPages();
    await page.evaluate((of) => window.execConsole.open(of), other);
    await expect(console.pane(other)).toBeFocused();
    await page.keyboard.press('Control+Shift+PageUp');
    await isPages();
    await page.reload();
    await console.isOnline();
    await isPages();
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
    await isPages();
    await console.row(key).focus();
    await page.keyboard.press('Escape');
    await isPages();
    await page.keyboard.type('yqy');
    // Any echo of earlier keys would arrive before the echo of this line.
    await agent.write({ processId }, 'end\n');
    await agent.waitOutput(processId, 'end');
    expect(agent.output(processId).toString()).toBe('ready\r\nend\r\n');
  });
  await test.step('a terminal gets the keyboard in each way, shows it, and returns it with one key or its button', async () => {
    const { page } = console;
    for (const [way, give] of WAYS)
      await test.step(way, async () => {
        const { key, processId } = await agent.start(ECHO_KEYS, { tty: true });
        await console.open(key);
        await console.shows(key, 'ready');
        await give(console, key);
        await expect(keyboardOf(console, key)).toHaveText(/Typing/);
        await expect(keyboardOf(console, key)).toContainText('Shift');
        await expect(console.pane(key)).toHaveClass(/typing/);
        await page.keyboard.type('y');
        await agent.waitOutput(processId, '"y"');
        await page.keyboard.press('Control+Shift+L');
        await expect(console.pane(key)).not.toHaveClass(/typing/);
        await expect(console.pane(key)).toBeFocused();
        await page.keyboard.press('w');
        await expect(page.locator('.wall')).toBeVisible();
        expect(agent.output(processId).toString()).toBe('ready "y"');
        await page.keyboard.press('w');
        await expect(page.locator('.wall')).toBeHidden();
      });
    const { key } = await agent.start(ECHO_KEYS, { tty: true });
    await console.open(key);
    await console.shows(key, 'ready');
    await keyboardOf(console, key).click();
    await expect(keyboardOf(console, key)).toHaveAttribute('aria-pressed', 'true');
    await keyboardOf(console, key).click();
    await expect(keyboardOf(console, key)).toHaveAttribute('aria-pressed', 'false');
    await expect(console.pane(key)).toBeFocused();
  });
  await test.step('a process that another person started does not open ready to type', async () => {
    const key = await console.start('sleep 1000');
    const ada = await pageOf('Ada');
    await ada.open(key);
    await expect(ada.pane(key)).toBeFocused();
    await expect(keyboardOf(ada, key)).toHaveAttribute('aria-pressed', 'false');
  });
});

const WAYS = [
  ['Enter on its pane', (console: ConsolePage) => console.page.keyboard.press('Enter')],
  [
    'a click into it',
    (console: ConsolePage, key: string) => console.pane(key).locator('.xterm-screen').click(),
  ],
  ['its button', (console: ConsolePage, key: string) => keyboardOf(console, key).click()],
] as const;

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('a process gets the keyboard only if a person wants it, and then every key', async ({
    agent,
    console,
  }) => {
    await test.step('a process waiting for input opens ready to type, and shows that', async () => {
      const { key, processId } = await agent.start(
        sh('printf "Go on? [y/N] "; read a; echo "got $a"; exec sleep 1000'),
        {
          tty: true,
        },
      );
      await expect(console.row(key)).toContainText('waiting for input');
      await console.open(key);
      await expect(keyboardOf(console, key)).toHaveText(/Typing/);
      await console.page.keyboard.type('y\n');
      await agent.waitOutput(processId, 'got y');
    });
    await test.step('Ctrl-C in a log that was only opened interrupts nothing', async () => {
      const { page } = console;
      const { key, processId } = await agent.start(sh('echo ready; exec sleep 1000'));
      await console.open(key);
      await console.shows(key, 'ready');
      await page.keyboard.press('Control+c');
      await expect(console.pane(key).getByText('Not interrupted')).toBeVisible();
      await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
      await console.pane(key).locator('.log-view').click();
      await page.keyboard.press('Control+c');
      await agent.waitEvent(processId, 'process/exited');
    });
    await test.step('a held key on a row opens its pane without giving it the keyboard', async () => {
      const { page } = console;
      const { key, processId } = await agent.start(sh('echo ready; while :; do sleep 0.2; done'), {
        tty: true,
      });
      await console.row(key).focus();
      await hold(page, 'Enter', () => expect(console.pane(key)).toBeFocused());
      await expect(console.pane(key)).toBeFocused();
      await expect(keyboardOf(console, key)).toHaveAttribute('aria-pressed', 'false');
      await agent.write({ processId }, 'end\n');
      await agent.waitOutput(processId, 'end');
      expect(agent.output(processId).toString()).toBe('ready\r\nend\r\n');
    });
    await test.step('a terminal that has the keyboard gets every key except the one that returns it', async () => {
      const { page } = console;
      const script = 'stty raw -echo; echo ready; exec cat -v';
      const { key, processId } = await agent.start(sh(script), { tty: true });
      await console.open(key);
      await console.shows(key, 'ready');
      await console.pane(key).locator('.xterm-screen').click();
      let expected = 'ready\n';
      for (const [pressed, code] of KEYS_OF_PROGRAMS) {
        await page.keyboard.press(pressed);
        expected += code;
        await agent.waitOutput(processId, expected);
      }
      // Terminals have no codes for these keys, but the page still must not use them.
      for (const letter of 'PFSGUX') await page.keyboard.press(`Control+Shift+${letter}`);
      await expect(console.pane(key)).toHaveClass(/typing/);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.keyboard.press('Control+Shift+L');
      await page.keyboard.press('F1');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      expect(agent.output(processId).toString()).toBe(expected);
    });
  });
});

const KEYS_OF_PROGRAMS: readonly (readonly [key: string, code: string])[] = [
  ['F1', '^[OP'],
  ['F3', '^[OR'],
  ['F12', '^[[24~'],
  ['Control+k', '^K'],
  ['Control+f', '^F'],
  ['Control+Shift+ArrowLeft', '^[[1;6D'],
  ['Control+Shift+ArrowUp', '^[[1;6A'],
  ['Control+Alt+Shift+ArrowRight', '^[[1;8C'],
];

/** Simulates a held key, which repeats; the last repeats follow only after `until` has resolved. */
async function hold(page: ConsolePage['page'], key: string, until: () => Promise<void>): Promise<void> {
  await page.keyboard.down(key);
  for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down(key);
  await until();
  for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('a held key does not answer a prompt of the pane that it opened', async ({ agent, console }) => {
    const { page } = console;
    const script = 'printf "Deploy? [Y/n] "; while read a; do echo "got [$a]"; done';
    const { key, processId } = await agent.start(sh(script), { tty: true });
    await expect(console.row(key)).toContainText('waiting for input');
    const isTyping = (): Promise<void> => expect(console.pane(key)).toHaveClass(/typing/);
    // Ways to direct the keys to a process: its row, the palette, its button, and the pane itself.
    await console.row(key).focus();
    await hold(page, 'Enter', isTyping);
    await page.keyboard.press('Control+Shift+L');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a command' }).fill('Type into this terminal');
    await hold(page, 'Enter', isTyping);
    await page.keyboard.press('Control+Shift+L');
    await keyboardOf(console, key).focus();
    await hold(page, 'Enter', isTyping);
    await page.keyboard.press('Control+Shift+L');
    await hold(page, 'Enter', isTyping);
    await page.keyboard.type('n');
    await page.keyboard.press('Enter');
    await agent.waitOutput(processId, 'got [n]');
    expect(agent.output(processId).toString()).toBe('Deploy? [Y/n] n\r\ngot [n]\r\n');
    await page.keyboard.down('z');
    await page.keyboard.down('z');
    await page.keyboard.up('z');
    await agent.waitOutput(processId, 'zz');
  });
});
