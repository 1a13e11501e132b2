// A process attacks its readers: in the panes of a controlling person and of an observer, after a reload, in the log
// and in the list. Rules HC1, HC2, HC3 and HC5.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, sh, test, type ConsolePage } from './fixtures.ts';
import { ATTACKS, QUERIES } from './hostile-content.ts';

declare global {
  interface Window {
    hacked?: number;
  }
}

const SENTINEL = 'what was in the clipboard before';

/**
 * Returns a check, to be run at the end, that the page has fetched nothing from other origins, has opened and logged
 * nothing, has run no printed script, and has no new active elements.
 */
async function guarded(page: Page): Promise<() => Promise<void>> {
  const found: string[] = [];
  const { origin } = new URL(page.url());
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) found.push(request.url());
  });
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => found.push(`popup: ${popup.url()}`));
  page.on('pageerror', (error) => found.push(String(error)));
  page.on('console', (message) => found.push(`console: ${message.text()}`));
  const active = (): Promise<number> =>
    page.locator('script, img, iframe, object, embed, base, form[action], meta, [onerror], [onload]').count();
  const before = await active();
  return async () => {
    expect(found).toEqual([]);
    expect(await active()).toBe(before);
    expect(await page.evaluate(() => window.hacked)).toBeUndefined();
    expect(await page.title()).toMatch(/^(\(\d+\) )?exec-console$/);
  };
}

/** Returns a program that records its input, and prints the texts `first`, `second` and `third` that `play` sends. */
function player(dir: string): {
  argv: string[];
  play: (name: string, content: string) => void;
  typed: () => string;
} {
  mkdirSync(dir);
  const typed = join(dir, 'typed');
  writeFileSync(typed, '');
  const script = [
    'exec 3<&0; stty raw -echo; cat <&3 >> "$0/typed" & printf ready',
    'for name in first second third; do',
    '  while [ ! -e "$0/$name.go" ]; do sleep 0.05; done; cat "$0/$name"; printf "\\033c$name is over"',
    'done; wait',
  ].join('\n');
  return {
    argv: ['/bin/sh', '-c', script, dir],
    play: (name, content) => {
      writeFileSync(join(dir, name), content);
      writeFileSync(join(dir, `${name}.go`), '');
    },
    typed: () => readFileSync(typed, 'latin1'),
  };
}

test('[HC1] printed queries are answered once, by the controller, and nothing else that is printed answers the program', async ({
  agent,
  console,
  context,
  gateway,
  pageOf,
}) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { argv, play, typed } = player(join(gateway.dir, 'played'));
  const { key } = await agent.start(argv, { tty: true });
  await console.open(key);
  const olga = await pageOf('Olga');
  await olga.open(key);
  for (const each of [console, olga]) await each.shows(key, 'ready');
  const { page } = console;
  await page.evaluate((text) => navigator.clipboard.writeText(text), SENTINEL);
  const unhurt = [await guarded(page), await guarded(olga.page)];

  play('first', Object.values({ ...QUERIES, ...ATTACKS }).join('\r\n'));
  // Thousands of combining marks on one letter take a browser seconds to draw, and longer on a busy machine.
  const drawn = expect.configure({ timeout: 60_000 });
  for (const each of [console, olga]) await drawn.poll(() => each.text(key)).toContain('first is over');
  // The page receives the same output again after the reload.
  await page.reload();
  await drawn.poll(() => console.text(key)).toContain('first is over');
  const snapshot = await agent.request<{ data: string }>('process/snapshot', { key, scrollback: 100 });
  expect(snapshot.data.length).toBeGreaterThan(0);
  expect(typed()).toBe('');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(SENTINEL);
  await expect(page.getByRole('group', { name: 'Copy to your clipboard?' })).toBeHidden();

  // Only the controlling person's page answers, and only queries from now on.
  const pane = console.pane(key);
  const control = pane.getByRole('button', { name: 'Take control' });
  await control.click();
  await expect(control).toHaveAttribute('aria-pressed', 'true');
  play('second', `${QUERIES['status']}${QUERIES['primary attributes']}${QUERIES['the clipboard']}`);
  for (const each of [console, olga]) await each.shows(key, 'second is over');
  await expect.poll(typed).toContain('\u001b[?1;2c');
  expect(typed().replaceAll('\u001b[?1;2c', '')).toBe('\u001b[0n');
  for (const each of unhurt) await each();
  // Further keys still go to the program, since the focus stays in the controlling person's terminal.
  await expect(pane).toHaveClass(/typing/);
});

test('[HC2] a program writes to the clipboard only with permission, and only the text that was shown', async ({
  console,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { page } = console;
  await page.evaluate((text) => navigator.clipboard.writeText(text), SENTINEL);
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const copy = (text: string): string => `\\033]52;c;${Buffer.from(text).toString('base64')}\\007`;
  const key = await console.start(
    `sh -c 'read a; printf "${copy('first\u202e line\nsecond line')}"; printf "${copy('unseen')}"; read b; printf "${copy('third')}"; read c'`,
  );
  const pane = console.pane(key);
  await console.type(key, '\n');
  const request = pane.getByRole('group', { name: 'Copy to your clipboard?' });
  await expect(request).toContainText('asks to copy 23 characters to your clipboard');
  await expect(request.getByLabel('Text to copy')).toHaveText('first\\u202e line\nsecond line');
  expect(await clipboard()).toBe(SENTINEL);
  await expectAccessible(page);
  await request.getByRole('button', { name: 'Copy' }).click();
  await expect(request).toBeHidden();
  expect(await clipboard()).toBe('first\u202e line\nsecond line');
  await console.type(key, '\n');
  await expect(request).toContainText('5 characters');
  await request.getByRole('button', { name: 'Ignore' }).click();
  await expect(request).toBeHidden();
  expect(await clipboard()).toBe('first\u202e line\nsecond line');
});

test('[HC3] hidden characters in names and lines are shown escaped, and create no elements', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const unhurt = await guarded(page);
  const hidden = '<img src=x onerror=window.hacked=1>\u202etxt.exe\u001b[31m';
  const { key } = await agent.start(
    sh(`printf '%s\\n' '${hidden}' "<b>search me</b>"; printf '\\033]0;${hidden}\\007'; cat`),
    {
      tty: false,
      pipeStdin: true,
      label: `label ${hidden}`,
      metadata: { [`of ${hidden}`]: `metadata ${hidden}` },
    },
  );
  const shown = '<img src=x onerror=window.hacked=1>\\u202etxt.exe\\x1b[31m';
  await expect(console.row(key)).toContainText(`label ${shown}`);
  const pane = await console.open(key);
  await expect(pane).toContainText(`label ${shown}`);
  await expect(page.getByRole('tab', { name: /label/ })).toContainText('\\u202e');
  const log = pane.getByRole('group', { name: 'Log' });
  await pane.getByRole('button', { name: 'Log', exact: true }).click();
  await expect(log).toContainText('<img src=x onerror=window.hacked=1>\\u202etxt.exe');
  await expect(log).toContainText('<b>search me</b>');
  await expectNothingHidden(console);
  await unhurt();
});

test('[HC5] names of properties that every object has are ordinary names, in links and in metadata of an agent', async ({
  agent,
  console,
  gateway,
  secondPage,
}) => {
  const { page } = console;
  const unhurt = await guarded(page);
  const names = ['constructor', 'toString', '__proto__'];
  const metadata = JSON.parse(
    '{"threadId":"__proto__","parentThreadId":"constructor","__proto__":"x"}',
  ) as object;
  const keys: string[] = [];
  for (const label of names) {
    const more = { label, metadata: { ...metadata, constructor: label, toString: label } };
    keys.push((await agent.start(sh('echo printed; exec cat'), { tty: true, ...more })).key);
  }
  for (const key of keys) {
    await console.open(key);
    await console.shows(key, 'printed');
  }
  const [pane] = keys.slice(-1).map((key) => console.pane(key));
  await pane?.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /^About this process/ }).click();
  await expect(page.getByRole('dialog')).toContainText('toString');
  await page.keyboard.press('Escape');
  for (const name of [...names, '%3Cb%3E', 'a%E2%80%AE']) {
    // The page is loaded afresh, as by a link on another site.
    await page.goto('about:blank');
    await page.goto(`${new URL(gateway.pageUrl).origin}/#${name}:L1`);
    await console.isOnline();
  }
  await unhurt();
  // A new tab begins with the layout that the browser has stored.
  const next = await secondPage();
  await expect(next.pane(keys.at(-1) ?? '')).toBeVisible();
});

/** Expects that no text and no attribute outside of terminals contains hiding or reordering characters. */
async function expectNothingHidden({ page }: ConsolePage): Promise<void> {
  const hiding = await page.evaluate(() => {
    // oxlint-disable-next-line no-control-regex -- these characters are searched for
    const pattern = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f]/;
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.closest('.xterm') === null)
      .flatMap((element) => [
        ...[...element.attributes].map(({ name, value }) => `${name}=${value}`),
        ...[...element.childNodes].flatMap((node) => (node instanceof Text ? node.data : [])),
      ])
      .filter((text) => pattern.test(text));
  });
  expect(hiding).toEqual([]);
}
