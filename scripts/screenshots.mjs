// Makes the README's pictures from the running product: node scripts/screenshots.mjs (after npm run build).
// With a folder: pictures of every state, in both themes, to be looked at: node scripts/screenshots.mjs DIR
// The screenshots of docs/tasks/stop-a-runaway-build.md: node scripts/screenshots.mjs --stepping-in
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { WebSocket } from 'ws';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const isSteppingIn = process.argv[2] === '--stepping-in';
const everyState = isSteppingIn ? undefined : process.argv[2];
const target = everyState ?? join(root, 'docs', 'screenshots');
const DESKTOP = { width: 1440, height: 900 };
const SMALL = { width: 1120, height: 660 };
const PHONE = { width: 390, height: 844 };

/** A small project for the processes in the pictures to work on. */
function makeProject(dir) {
  const source = `import { openCart } from './cart.ts';

/** Adds what is in the basket, with the discount that is due. */
export function total(items: readonly Item[], today: Date): number {
  const sum = items.reduce((all, item) => all + item.price * item.count, 0);
  return isSale(today) ? sum * 0.9 : sum;
}

export async function checkout(id: string): Promise<Receipt> {
  const cart = await openCart(id);
  const amount = total(cart.items, new Date());
  return { id, amount, paidAt: Date.now() };
}
`;
  writeFileSync(join(dir, 'checkout.ts'), source);
  for (const [name, script] of [
    ['run-tests', TESTS],
    ['build', BUILD],
    ['serve', SERVER],
    ['bundle', RUNAWAY],
  ]) {
    writeFileSync(join(dir, name), script, { mode: 0o755 });
  }
  const git = (...args) =>
    spawnSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: dir });
  git('init', '-q');
  for (const message of [
    'Start the shop',
    'Count what is in the basket',
    'Give the discount only on sale days',
    'Check out',
  ]) {
    writeFileSync(join(dir, 'NOTES'), message);
    git('add', '-A');
    git('commit', '-q', '-m', message);
  }
}

/** The gateway as `npm start` starts it, and the line that it prints for agents. */
async function startGateway(dir) {
  const args = ['--listen', 'ws://127.0.0.1:0', '--state-dir', join(dir, 'state'), '--banner'];
  const child = spawn(process.execPath, [join(root, 'dist/server/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const agentUrl = new Promise((resolve) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const [url] = /ws:\/\/[^'\s]+token=[^'\s]+/.exec(said) ?? [];
      if (url) resolve(url);
    });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return { child, pageUrl: (await lines.next()).value, agentUrl: await agentUrl };
}

/** An agent of the wire: enough of a client to start things. */
async function connectAgent({ agentUrl }, cwd) {
  const ws = new WebSocket(agentUrl);
  await once(ws, 'open');
  let id = 0;
  const waiting = new Map();
  ws.on('message', (data) => {
    // ws gives text as one Buffer.
    const message = JSON.parse(Buffer.from(data).toString());
    waiting.get(message.id)?.(message.result);
  });
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set((id += 1), resolve);
      ws.send(JSON.stringify({ id, method, params }));
    });
  await request('initialize', { clientName: 'codex-environment' });
  ws.send('{"method":"initialized"}');
  const env = {
    PATH: process.env['PATH'],
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    HOME: cwd,
  };
  return (argv, options = {}) =>
    request('process/start', {
      processId: `p${(id += 1)}`,
      argv,
      cwd: pathToFileURL(cwd).href,
      env,
      tty: true,
      ...options,
    });
}

/** As a Codex agent asks for it by default. */
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

/** What the project's scripts do. */
const TESTS = `#!/bin/bash
for suite in basket discount receipt search; do
  printf '\\e[7;32m PASS \\e[0m %s.test.ts\\n' "$suite"; sleep 0.1
done
printf '\\e[7;31m FAIL \\e[0m checkout.test.ts\\n\\n  \\e[31m● gives the discount on sale days\\e[0m\\n\\n    expected 90, received 100\\n\\n'
printf '\\e[1mTests:\\e[0m \\e[31m1 failed\\e[0m, \\e[32m23 passed\\e[0m, 24 total\\n'; exec cat`;
const BUILD = `#!/bin/sh
echo 'building 214 modules'; echo 'checkout.ts(6,10): error: isSale is not defined' >&2; echo 'build failed after 1.4 s' >&2; exit 2`;
const SERVER = `#!/bin/bash
printf '\\e[32mready\\e[0m on http://127.0.0.1:3000\\n'; n=0; while :; do n=$((n+1)); printf '\\e[2m%s\\e[0m GET /cart/%d \\e[32m200\\e[0m %d ms\\n' "$(date +%T)" $n $((n*7%23+3)); sleep 0.4; done`;

/** It heeds neither an interrupt nor a SIGTERM, burns two processors, and prints without end. */
const RUNAWAY = `#!/bin/bash
trap 'echo "webpack: still cleaning up ..."' INT TERM
printf '\\e]9;out of memory, retrying\\a\\e[33mwarn\\e[0m  out of memory, retrying with 2 workers\\n'
for i in 1 2; do sh -c 'while :; do :; done' & done
n=0; while :; do n=$((n+1)); printf '\\e[2m%5d\\e[0m retrying \\e[36mmodules/%04d.ts\\e[0m\\n' $n $((n*37%9973)); sleep 0.25; done`;

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

/** One picture; of every state one in each theme. */
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

/** Opens a row: as a tab, or beside what is there. */
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
    await shoot(name, page, { inReadme: true });
    await page.keyboard.press('Escape');
  }
  for (const name of ['Settings', 'Keys']) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    await shoot(name.toLowerCase(), page);
    await page.keyboard.press('Escape');
  }
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

/** Nobody can look elsewhere here: so the page is told that its person does. */
const lookAway = (page, isAway) =>
  page.evaluate((away) => {
    const value = away ? 'hidden' : 'visible';
    Object.defineProperty(document, 'visibilityState', { configurable: true, value });
    Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => !away });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isAway);

/** The steps of docs/tasks/stop-a-runaway-build.md, from the first sign of a runaway build to the proof of its end. */
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
  await pane.getByText('all ended').waitFor();
  await settle(page);
  await take(5);
  await page.keyboard.press('Control+Shift+L');
  await page.keyboard.press('b');
  await page.getByRole('button', { name: /^All of codex/ }).click();
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

async function everything(context, page, start) {
  const started = await desktop(page, start);

  const handheld = await browser.newContext({
    viewport: PHONE,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    colorScheme: 'dark',
    storageState: await context.storageState(),
  });
  const handheldPage = await handheld.newPage();
  await handheldPage.goto(new URL('/', gateway.pageUrl).href);
  await handheldPage.waitForSelector('[data-connection-state="online"]');
  await phone(handheldPage, started);

  gateway.child.kill('SIGKILL');
  await page.waitForSelector('[data-connection-state="waiting"]');
  await settle(page);
  await shoot('offline', page, { inReadme: true });
}

try {
  const context = await browser.newContext({ viewport: isSteppingIn ? SMALL : DESKTOP, colorScheme: 'dark' });
  const page = await context.newPage();
  await page.goto(new URL('/', gateway.pageUrl).href);
  await settle(page);
  await shoot('sign-in', page);
  await page.goto(gateway.pageUrl);
  await page.waitForSelector('[data-connection-state="online"]');
  await settle(page);
  const start = await connectAgent(gateway, project);
  if (isSteppingIn) await steppingIn(page, start);
  else await everything(context, page, start);
} finally {
  await browser.close();
  gateway.child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}
