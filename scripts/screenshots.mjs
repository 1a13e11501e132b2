// Takes the README's screenshots: node scripts/screenshots.mjs (after npm run build). With a folder as
// argument, takes screenshots of all states in both themes for review. --stepping-in takes those for
// docs/tasks/stop-a-runaway-build.md. --film records the README's animation, which needs ImageMagick.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { film } from './film.mjs';
import { connectAgent, startGateway } from './sample-gateway.mjs';
import { makeProject } from './sample-project.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const isSteppingIn = process.argv[2] === '--stepping-in';
const isFilm = process.argv[2] === '--film';
const everyState = isSteppingIn || isFilm ? undefined : process.argv[2];
const target = everyState ?? join(root, 'docs', 'screenshots');
const DESKTOP = { width: 1440, height: 900 };
const SMALL = { width: 1120, height: 660 };
const PHONE = { width: 390, height: 844 };

/** Returns the read-only sandbox that a Codex agent requests by default. */
const READ_ONLY = (folder) => ({
  permissions: {
    type: 'managed',
    file_system: {
      type: 'restricted',
      entries: [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }],
    },
    network: 'restricted',
  },
  cwd: pathToFileURL(folder).href,
  workspaceRoots: [pathToFileURL(folder).href],
});

const dir = mkdtempSync(join(tmpdir(), 'exec-console-shots-'));
const project = join(dir, 'shop');
mkdirSync(project);
makeProject(project);
mkdirSync(target, { recursive: true });
const gateway = await startGateway(dir);
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
});
const settle = (page, ms = 900) => page.evaluate((t) => new Promise((resolve) => setTimeout(resolve, t)), ms);

/** Takes a screenshot if the README uses it; in review mode, takes it in any case, once per theme. */
async function shoot(name, page, { inReadme = false } = {}) {
  if (!everyState) {
    if (inReadme) await page.screenshot({ path: join(target, `${name}.png`) });
    return;
  }
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await settle(page, 300);
    await page.screenshot({ path: join(target, `${name}-${colorScheme}.png`) });
  }
}

/** Opens a row, as a tab or beside the open panes. */
async function open(page, key, how = 'Enter') {
  const row = page.locator(`[role="row"][data-process-key="${key}"]`);
  await row.focus();
  await page.keyboard.press(how);
  await page.waitForSelector(`[role="region"][data-process-key="${key}"]`);
  await settle(page, 400);
}

async function desktop(page, start) {
  await shoot('empty', page, { inReadme: true });
  await page.getByRole('button', { name: 'New process' }).first().click();
  await shoot('new-process', page);
  await page.keyboard.press('Escape');

  const vim = await start(['vim', '-u', 'NONE', '-N', '-c', 'syntax on', '-c', 'set nu', 'checkout.ts']);
  const server = await start(['./serve', '--port', '3000']);
  const tests = await start(['./run-tests']);
  const build = await start(['./build', '--production'], { tty: false });
  await start(['git', 'log', '--oneline'], { tty: false });
  await page.waitForSelector('[data-process-status="failed"]');
  await open(page, tests.key);
  await open(page, server.key, 'v');
  await open(page, build.key, 's');
  await open(page, vim.key);
  await settle(page, 4000);
  await shoot('panes', page, { inReadme: true });
  if (!everyState) {
    await page.emulateMedia({ colorScheme: 'light' });
    await settle(page);
    await shoot('light', page, { inReadme: true });
    await page.emulateMedia({ colorScheme: 'dark' });
  }
  for (const [name, keys] of [
    ['palette', 'Control+Shift+P'],
    ['search', 'Control+Shift+S'],
  ]) {
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(name === 'search' ? 'cart' : 'pane');
    await settle(page);
    await shoot(name, page, { inReadme: name === 'search' });
    await page.keyboard.press('Escape');
  }
  for (const name of ['Settings', 'Shortcuts']) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    await shoot(name.toLowerCase(), page);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Pause all agents' }).click();
  const held = [
    ['npm', 'publish', '--access', 'public'],
    ['bash', '-lc', 'make clean && git push origin main'],
  ];
  const starts = held.map((argv) => start(argv));
  await page.getByRole('article').nth(1).waitFor();
  await settle(page);
  await shoot('approvals', page, { inReadme: true });
  for (let left = held.length; left > 0; left -= 1) {
    const [card] = await page.locator('article[data-approval-state="waiting"]').all();
    await card.getByRole('button', { name: 'Decline' }).click();
    await settle(page);
  }
  await page.getByRole('button', { name: 'Unpause all agents' }).click();
  await Promise.all(starts);
  const denied = await start(['/bin/sh', '-c', 'echo x > /etc/not-here'], {
    sandbox: READ_ONLY(project),
    tty: false,
  });
  await open(page, denied.key);
  await shoot('denied', page);

  for (let i = 1; i <= 46; i += 1) {
    const script = i % 3 ? `echo shard ${i} of 46; sleep 600` : `echo shard ${i} of 46; exit $((${i} % 4))`;
    await start(['/bin/bash', '-c', script], { tty: i % 2 === 0 });
  }
  await start([
    '/bin/bash',
    '-c',
    'while :; do :; done',
    '--a-name-that-is-much-longer-than-its-row-has-room-for',
  ]);
  await settle(page, 4000);
  await shoot('fifty', page, { inReadme: true });
  await page.getByRole('button', { name: 'Wall' }).click();
  await settle(page, 2500);
  await shoot('wall', page, { inReadme: true });
  await page.getByRole('button', { name: 'Wall' }).click();
  return { tests, server, vim };
}

/** Simulates a change of the page's visibility, which a script can't cause. */
const lookAway = (page, isAway) =>
  page.evaluate((away) => {
    const value = away ? 'hidden' : 'visible';
    Object.defineProperty(document, 'visibilityState', { configurable: true, value });
    Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => !away });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isAway);

/**
 * Takes the screenshots for docs/tasks/stop-a-runaway-build.md, from the first sign of a runaway build to
 * proof that it has ended.
 */
async function steppingIn(page, start) {
  const take = (number) => page.screenshot({ path: join(target, `stepping-in-${number}.png`) });
  await start(['./serve', '--port', '3000']);
  for (let i = 1; i <= 28; i += 1) await start(['/bin/bash', '-c', `echo shard ${i} of 28; exec sleep 600`]);
  await settle(page, 2000);
  await lookAway(page, true);
  const build = await start(['./bundle', '--production']);
  await settle(page, 1500);
  await lookAway(page, false);
  await settle(page, 1500);
  await take(1);
  await page.keyboard.press('b');
  const row = page.locator(`[role="row"][data-process-key="${build.key}"][aria-rowindex="1"]:focus`);
  await row.waitFor();
  await settle(page, 3000);
  await take(2);
  await page.keyboard.press('i');
  await page.keyboard.press('i');
  await page.keyboard.press('Enter');
  const pane = page.getByRole('region', { name: './bundle --production' });
  await settle(page, 1500);
  await pane.getByRole('button', { name: 'Interrupt' }).click();
  await settle(page, 1500);
  await take(3);
  await pane.getByRole('button', { name: 'Terminate' }).click();
  await settle(page, 2000);
  await take(4);
  await pane.getByText('everything ended').waitFor();
  await settle(page);
  await take(5);
  await page.keyboard.press('Control+Shift+L');
  await page.keyboard.press('b');
  await page.getByRole('button', { name: /^Actions for Codex/ }).click();
  await page.getByRole('menuitem', { name: 'Interrupt all 29' }).click();
  await settle(page, 1500);
  await take(6);
}

async function phone(page, { tests }) {
  const back = page.getByRole('button', { name: 'Back to the list' });
  if (await back.isVisible()) await back.click();
  await settle(page);
  await shoot('phone-list', page, { inReadme: true });
  await page.locator(`[role="row"][data-process-key="${tests.key}"]`).tap();
  await settle(page);
  await shoot('phone', page, { inReadme: true });
}

async function everything(page, start) {
  const started = await desktop(page, start);

  const handheld = await browser.newContext({
    viewport: PHONE,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    colorScheme: 'dark',
  });
  const handheldPage = await handheld.newPage();
  // Credentials can't be moved to another browser, so the phone's browser gets a separate sign-in link.
  const link = spawnSync(process.execPath, [
    join(root, 'dist/server/main.js'),
    'link',
    '--state-dir',
    join(dir, 'state'),
  ]);
  await handheldPage.goto(link.stdout.toString().trim());
  await handheldPage.waitForSelector('[data-connection-state="online"]');
  await phone(handheldPage, started);

  gateway.child.kill('SIGKILL');
  await page.waitForSelector('[data-connection-state="waiting"]');
  await settle(page);
  await shoot('offline', page, { inReadme: true });
}

try {
  const context = await browser.newContext({
    viewport: isSteppingIn || isFilm ? SMALL : DESKTOP,
    colorScheme: 'dark',
  });
  const page = await context.newPage();
  await page.goto(new URL('/', gateway.pageUrl).href);
  await settle(page);
  await shoot('sign-in', page);
  await page.goto(gateway.pageUrl);
  await page.waitForSelector('[data-connection-state="online"]');
  await settle(page);
  const start = await connectAgent(gateway, project);
  if (isSteppingIn) await steppingIn(page, start);
  else if (isFilm) await film({ page, start, path: join(target, 'film.gif'), frames: join(dir, 'frames') });
  else await everything(page, start);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
  gateway.child.kill('SIGKILL');
  // Retries are needed, because processes of the gateway may still write there for a moment.
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
