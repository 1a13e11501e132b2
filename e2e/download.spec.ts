// Downloading all output of a process, including what only the recording still has, and reading it as plain text.
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { ConsolePage, expect, sha256, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';

const ownGateways: Gateway[] = [];
test.afterEach(async () => {
  for (const each of ownGateways.splice(0)) await each.stop();
});

const sh = (script: string): string[] => ['/bin/sh', '-c', script];

async function choose(pane: Locator, name: RegExp): Promise<void> {
  await pane.getByRole('button', { name: 'More' }).click();
  await pane.page().getByRole('menuitem', { name }).click();
}

async function saved(console: ConsolePage, pane: Locator, name: RegExp) {
  const coming = console.page.waitForEvent('download');
  await choose(pane, name);
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('a download has all printed bytes, with secrets masked and nothing active, and can be read as text', async ({
  agent,
  console,
  context,
}) => {
  await test.step('a download includes output that only the recording still has', async () => {
    const { key, processId } = await agent.start(sh('seq 1 400000'));
    await agent.waitEvent(processId, 'process/closed');
    const printed = agent.output(processId);
    const pane = await console.open(key);
    const raw = await saved(console, pane, /raw/);
    expect(printed.equals(raw.bytes)).toBe(true);
    const text = (await saved(console, pane, /as text/)).bytes;
    expect(text.equals(printed)).toBe(true);
  });
  await test.step('a raw download has every printed byte, including binary ones', async () => {
    const script = 'import os\nfor i in range(1500): os.write(1 + i % 2, bytes(range(256)))';
    const { key, processId } = await agent.start(['python3', '-c', script]);
    await agent.waitEvent(processId, 'process/closed');
    const pane = await console.open(key);
    const { name, bytes } = await saved(console, pane, /raw/);
    expect(name).toMatch(/^python3-.*\.raw$/);
    const printed = agent.output(processId);
    expect(bytes.length).toBe(1500 * 256);
    expect(sha256(bytes)).toBe(sha256(printed));
  });
  await test.step('a download masks known secrets, and includes them when requested', async () => {
    const token = `ghp_${'aB3'.repeat(12)}`;
    // The token also appears in the command line, and split by an invisible character.
    const script = 'printf "%.10s\\342\\200\\213%s\\n" "$0" "${0#??????????}"; echo "token $0"; sleep 1000';
    const { key, processId } = await agent.start(['/bin/sh', '-c', script, token]);
    await agent.waitOutput(processId, `token ${token}`);
    const pane = await console.open(key);
    await console.shows(key, new RegExp(token));
    const file = console.page.getByRole('status', { name: 'Saved file' });
    const html = (await saved(console, pane, /HTML/)).bytes.toString();
    expect(html).toContain(`token ghp_${'*'.repeat(36)}`);
    expect(html).not.toContain('aB3');
    await expect(file).toContainText('Secrets in the file are masked');
    expect(await axeFindings(console.page)).toEqual([]);
    const coming = console.page.waitForEvent('download');
    await file.getByRole('button', { name: 'Save with secrets' }).press('Enter');
    expect(await readFile(await (await coming).path(), 'utf8')).toContain(`token ${token}`);
    await expect(file).toBeEmpty();
  });
  await test.step('the text download of a terminal has its lines, with wrapped ones joined', async () => {
    const long = 'word '.repeat(40).trim();
    const { key, processId } = await agent.start(
      sh(`printf '\\033[31mred\\033[0m\\r\\n${long}\\r\\nab\\bc\\r\\n'`),
      {
        tty: true,
      },
    );
    await agent.waitEvent(processId, 'process/closed');
    const pane = await console.open(key);
    expect((await saved(console, pane, /as text/)).bytes.toString()).toBe(`red\n${long}\nac\n`);
    const html = (await saved(console, pane, /HTML/)).bytes.toString();
    expect(html).toMatch(/<span style="color:#[0-9a-f]{6}">red<\/span>\n/);
  });
  await test.step('the plain-text view opens by keyboard alone, and axe finds nothing in it', async () => {
    const { key, processId } = await agent.start(sh("seq 1 3000; printf 'a\\342\\200\\256b\\n'; cat"), {
      tty: true,
    });
    await agent.waitOutput(processId, 'b\r\n');
    const pane = await console.open(key);
    await console.shows(key, /3000\nab\n/);
    const { keyboard } = console.page;
    await console.leaveTerminal(key);
    await keyboard.press('Control+Shift+U');
    const dialog = console.page.getByRole('dialog', { name: /^Output of/ });
    const field = dialog.getByRole('textbox');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(/^1\n2\n3\n[\d\n]*3000\nab\n$/);
    await expect(field).toHaveAttribute('readonly', '');
    expect(await axeFindings(console.page)).toEqual([]);
    await keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    // The program is waiting for input, so the focus may return to its terminal.
    await expect.poll(() => pane.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  });
  await test.step('text and HTML downloads hold the readable text, and nothing in them is active', async () => {
    const script = String.raw`printf '\033[1;32mok\033[0m <img src=x onerror="document.title=1">\n10%%\r20%%\n\001\342\200\256\n'; sleep 0.2; echo bad >&2`;
    const { key, processId } = await agent.start(sh(script));
    await agent.waitEvent(processId, 'process/closed');
    const pane = await console.open(key);
    const text = await saved(console, pane, /as text/);
    expect(text.name).toMatch(/^printf-.*\d{4}-\d\d-\d\d-\d{6}\.txt$/);
    expect(text.bytes.toString()).toBe('ok <img src=x onerror="document.title=1">\n20%\n\\x01\\u202e\nbad\n');
    const html = await saved(console, pane, /HTML/);
    const page = await context.newPage();
    await page.setContent(html.bytes.toString());
    await expect(page.locator('pre')).toHaveText(/^ok <img src=x/);
    await expect(page.locator('img, script')).toHaveCount(0);
    await expect(page.getByText('ok', { exact: true })).toHaveCSS('font-weight', '700');
    await expect(page.locator('.err')).toHaveText('bad');
  });
});

test('a download of a terminal whose beginning was evicted starts with the screen at that point', async ({
  page,
}) => {
  const gateway = await Gateway.start({ flags: ['--record', 'off'] });
  ownGateways.push(gateway);
  const agent = await gateway.agent();
  const console = await ConsolePage.of(page, gateway);
  // The header was printed at the beginning, before the retained output.
  const script = String.raw`printf '\033[?1049h\033[1;1Hheader stays\033[5;10r\033[5;1H'; seq 1 400000; sleep 1000`;
  const { key, processId } = await agent.start(sh(script), { tty: true });
  await agent.waitOutput(processId, '400000\r\n');
  const pane = await console.open(key);
  await expect(pane).toContainText('skipped');
  const text = (await saved(console, pane, /as text/)).bytes.toString();
  expect(text).toMatch(/^— \d+\.\d [kM]B missing —\n/);
  expect(text).toMatch(/\nheader stays\n\n\n\n399996\n.*\n400000\n$/s);
  const { name, bytes } = await saved(console, pane, /asciicast/);
  expect(name).toMatch(/\.cast$/);
  const [head, ...events] = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(head).toMatchObject({ version: 3, term: { cols: 80, rows: 24 } });
  expect(events[0]).toEqual([0, 'm', expect.stringMatching(/missing$/)]);
  expect(events[1]).toEqual([0, 'o', expect.stringContaining('header stays')]);
  expect(events.at(-1)).toEqual([expect.any(Number), 'o', expect.stringMatching(/400000\r\n$/)]);
});
