// Replay in a pane: the exact screens of a real program over time, by mouse, keys and link.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ConsolePage, expect, expectAccessible, test } from './fixtures.ts';

const ENV = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color' };

const replay = (page: Page) => page.locator('.replay');

/** Resolves with the lines and cursor of the replayed screen; null when the pane is not replaying. */
const replayed = (page: Page, key: string) =>
  page.evaluate((of) => {
    const screen = window.execConsole.replayScreen(of);
    return screen && { lines: screen.lines, cursor: screen.cursor };
  }, key);

async function isPaused(page: Page): Promise<void> {
  await expect(replay(page)).toHaveAttribute('data-replay-state', 'paused');
}

test('a pane is replayed with the exact screens of vim, scrubbed back from live, saved and linked', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const file = join(mkdtempSync(join(tmpdir(), 'replayed-')), 'edited.txt');
  writeFileSync(file, Array.from({ length: 200 }, (_, at) => `line ${at + 1} of the file\n`).join(''));
  const argv = ['vim', '-u', 'NONE', '-N', '-n', file];
  const { key, processId } = await agent.start(argv, { tty: true, env: ENV });
  const pane = await console.open(key);
  const shot = async (keys: string, text: string) => {
    const chunk = Buffer.from(keys).toString('base64');
    await agent.request('process/write', { processId, chunk, writeId: `w ${keys}` });
    await expect.poll(async () => (await console.screen(key)).lines.join('\n')).toContain(text);
    // Escape takes effect in vim only once no key sequence can follow it.
    await expect.poll(async () => (await console.screen(key)).lines.join('\n')).not.toContain('-- INSERT --');
    // The program places the cursor last, so all of its output must have been drawn.
    await expect.poll(async () => (await console.received(key)).bytes - (await console.printed(key))).toBe(0);
    const { lines, cursor } = await console.screen(key);
    return { atMs: Date.now(), screen: { lines, cursor } };
  };
  const first = await shot('0', 'line 1 of the file');
  const second = await shot('ihello from vim\u001b', 'hello from vim');
  const third = await shot(':120\r', 'line 120 of the file');

  await test.step('a live pane is scrubbed back, and returns to live', async () => {
    await pane.press('p');
    await isPaused(page);
    const slider = pane.getByRole('slider', { name: 'Replay position' });
    await expect(slider).toBeFocused();
    await expect.poll(() => replayed(page, key)).toEqual(third.screen);
    await expect(pane.getByRole('button', { name: 'Return to live' })).toBeVisible();
    await page.keyboard.press('Home');
    await isPaused(page);
    await expect.poll(async () => (await replayed(page, key))?.lines.join('').trim()).not.toContain('hello');
    await pane.getByRole('button', { name: 'Marks' }).click();
    await expect(pane.getByRole('dialog', { name: 'Marks' })).toContainText('Input by');
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await pane.getByRole('button', { name: 'Return to live' }).click();
    await expect(replay(page)).toHaveCount(0);
    await expect.poll(async () => (await console.screen(key)).lines).toEqual(third.screen.lines);
  });

  const [{ startedAtMs } = { startedAtMs: 0 }] = await page.evaluate(
    () => window.execConsole.processes() as unknown as { startedAtMs: number }[],
  );
  await agent.request('process/write', {
    processId,
    chunk: Buffer.from(':qa!\r').toString('base64'),
    writeId: 'end',
  });
  await expect(pane).toHaveAttribute('data-output-complete', 'true');

  await test.step('each moment shows the screen that the program showed then', async () => {
    for (const { atMs, screen } of [second, first, third]) {
      const link = new URL(page.url());
      link.hash = `#${key}:T${atMs - startedAtMs}`;
      await page.goto(link.href);
      await expect(replay(page)).toHaveAttribute('data-replay-offset', String(atMs - startedAtMs));
      await isPaused(page);
      await expect.poll(() => replayed(page, key)).toEqual(screen);
    }
  });

  await test.step('playback runs from the start to the end, and pauses', async () => {
    await pane.getByRole('combobox', { name: 'Speed' }).selectOption('16');
    await pane.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await expect(replay(page)).toHaveAttribute('data-replay-state', 'playing');
    await isPaused(page);
    await expect(pane.getByRole('slider')).toHaveAttribute('aria-valuetext', /^(\S+) of \1,/);
  });

  await test.step('the screen at a moment can be searched', async () => {
    await page.keyboard.press('Home');
    const link = new URL(page.url());
    link.hash = `#${key}:T${third.atMs - startedAtMs + 1}`;
    await page.goto(link.href);
    await expect.poll(() => replayed(page, key)).toEqual(third.screen);
    await pane.getByRole('button', { name: 'Search the screen at this moment' }).click();
    await pane.getByRole('textbox', { name: 'Search for' }).fill('line 120 of');
    await expect(pane.getByRole('search')).toContainText('1 of 1');
    await page.keyboard.press('Escape');
  });

  await test.step('text can be copied from the screen at a moment', async () => {
    await page.locator('.replay .xterm-screen').dblclick({ position: { x: 12, y: 60 } });
    await page.keyboard.press('Control+Shift+C');
    await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    await pane.getByRole('slider').focus();
  });

  await test.step('a range is saved as an asciicast that begins with its screen', async () => {
    await page.keyboard.press('i');
    await pane.getByRole('button', { name: 'Save the recording, or a range of it' }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      pane.getByRole('menuitem', { name: /^Save as asciicast: / }).click(),
    ]);
    const [head, screen] = readFileSync(await saved.path(), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown[]);
    expect(head).toMatchObject({ version: 3, term: { rows: third.screen.lines.length } });
    expect(screen?.slice(0, 2)).toEqual([0, 'o']);
    expect(screen?.[2]).toContain('line 120 of the file');
  });

  await test.step('the replay of an ended process can be closed', async () => {
    await pane.getByRole('button', { name: 'Close replay' }).click();
    await expect(replay(page)).toHaveCount(0);
  });
});

test('output of pipes is replayed as it was at each time', async ({ agent, console }) => {
  const { page } = console;
  const script = 'echo first; read go; echo second >&2; read go; echo third';
  const { key, processId } = await agent.start(['/bin/sh', '-c', script], { pipeStdin: true });
  const pane = await console.open(key);
  const times: number[] = [];
  for (const text of ['first', 'second', 'third']) {
    await console.shows(key, text);
    times.push(Date.now());
    if (text === 'third') break;
    const chunk = Buffer.from('go\n').toString('base64');
    await agent.request('process/write', { processId, chunk, writeId: text });
  }
  await expect(pane).toHaveAttribute('data-output-complete', 'true');
  const [{ startedAtMs } = { startedAtMs: 0 }] = await page.evaluate(
    () => window.execConsole.processes() as unknown as { startedAtMs: number }[],
  );
  for (const count of [2, 1, 3]) {
    const link = new URL(page.url());
    link.hash = `#${key}:T${(times[count - 1] ?? 0) - startedAtMs}`;
    await page.goto(link.href);
    await isPaused(page);
    await expect
      .poll(async () => (await replayed(page, key))?.lines.filter((line) => line !== ''))
      .toEqual(['first', 'second', 'third'].slice(0, count));
  }
});

test('an observer sees masked text in a replay, on desktop and phone', async ({ agent, pageOf }) => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const argv = ['/bin/sh', '-c', `printf 'token ${secret} end\\r\\n'`];
  const { key, processId } = await agent.start(argv, { tty: true, env: ENV });
  await agent.request('process/wait', { processId, until: 'closed', waitMs: 30_000 });
  const console: ConsolePage = await pageOf('Olga', { viewport: { width: 390, height: 844 } });
  const pane = await console.open(key);
  await pane.press('p');
  await isPaused(console.page);
  await console.page.keyboard.press('End');
  await expect
    .poll(async () => (await replayed(console.page, key))?.lines.join('\n'))
    .toMatch(/token \S*\*{30,}/);
  expect((await replayed(console.page, key))?.lines.join('')).not.toContain(secret);
  await expectAccessible(console.page);
});
