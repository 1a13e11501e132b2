// A hidden tab: which output it still receives, and its exact state when it is visible again.
import type { Page } from '@playwright/test';
import { freshTerminal, written } from '../server/testing/seen-terminal.ts';
import { screenText } from '../web/screen/terminal/buffer-text.ts';
import { setHidden } from './away.ts';
import { ConsolePage, expect, test } from './fixtures.ts';

const SIZE = { rows: 24, cols: 80 };
const REPEAT = ['sh', '-c', 'stty -echo; while read -r count; do seq 1 "$count"; done'];

/**
 * Collects the methods of messages that the page sends (`asked`) and receives (`reported`) on later connections; a
 * `console/changed` with the member `printed` is collected as `printed`.
 */
function spokenWith(page: Page): { asked: string[]; reported: string[] } {
  const [asked, reported]: [string[], string[]] = [[], []];
  const note = (methods: string[], payload: string | Buffer): void => {
    const { method, params } = JSON.parse(String(payload)) as { method?: string; params?: object };
    if (method) methods.push(params && 'printed' in params ? 'printed' : method);
  };
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => note(asked, payload));
    socket.on('framereceived', ({ payload }) => note(reported, payload));
  });
  return { asked, reported };
}

test('a hidden page receives no output, and is exact when it is shown again', async ({
  agent,
  page,
  gateway,
  secondPage,
}) => {
  const { asked, reported } = spokenWith(page);
  const console = await ConsolePage.of(page, gateway);
  const looking = await secondPage();
  for (const { name, lines } of [
    { name: 'a little', lines: 500 },
    { name: 'more than is retained', lines: 400_000 },
  ])
    await test.step(name, async () => {
      const { key, processId } = await agent.start(REPEAT, { tty: true });
      await console.open(key);
      await agent.write({ processId }, '7\n');
      await console.shows(key, '7');
      asked.length = 0;
      await setHidden(console, true);
      await expect.poll(() => asked).toContain('process/detach');
      const before = reported.length;
      await agent.write({ processId }, `${lines}\n`);
      await agent.waitOutput(processId, `\n${lines}\r\n`);
      // The hidden page would have received the change no later than a visible page shows it, and before the reply to
      // the start below.
      await expect(looking.row(key)).toContainText(String(lines));
      const last = await agent.start(['true']);
      await expect(console.row(last.key)).toBeAttached();
      expect(reported.slice(before).filter((method) => method !== 'console/changed')).toEqual([]);
      await setHidden(console, false);
      const terminal = freshTerminal(SIZE, 1000);
      await written(terminal, agent.output(processId));
      await expect.poll(() => console.screen(key)).toEqual(screenText(terminal));
      await expect(console.row(key)).toContainText(String(lines));
    });
});

test('a hidden page still receives the output of pipes, and has all of it when it is shown again', async ({
  agent,
  page,
  gateway,
}) => {
  const { asked } = spokenWith(page);
  const console = await ConsolePage.of(page, gateway);
  const shell = await agent.start(REPEAT, { tty: true });
  const count = ['sh', '-c', 'while read -r from to; do seq "$from" "$to"; done'];
  const pipes = await agent.start(count, { pipeStdin: true });
  for (const { key } of [shell, pipes]) await console.open(key);
  await setHidden(console, true);
  await expect.poll(() => asked).toContain('process/detach');
  // The steps together print twice what the gateway retains, but never enough at once to make a page skip output.
  const [step, steps] = [20_000, 16];
  let bytes = 0;
  for (let n = 0; n < steps; n += 1) {
    const [from, to] = [n * step + 1, (n + 1) * step];
    await agent.write({ processId: pipes.processId }, `${from} ${to}\n`);
    for (let line = from; line <= to; line += 1) bytes += String(line).length + 1;
    await expect.poll(() => console.received(pipes.key)).toMatchObject({ bytes, missedBytes: 0 });
  }
  expect(bytes).toBeGreaterThan(2 * 1024 * 1024);
  await setHidden(console, false);
  const pane = console.pane(pipes.key);
  await expect(pane.locator('.log-text').getByText(String(step * steps), { exact: true })).toBeVisible();
  await expect(pane).not.toContainText('skipped');
  expect(asked.filter((method) => method === 'process/detach')).toHaveLength(1);
});

test('a hidden page draws almost nothing and does not slow the processes that it controls', async ({
  console,
  page,
}) => {
  const key = await console.start('stty -echo; read -r go; seq 1 400000; read -r go');
  await console.type(key, '');
  await setHidden(console, true);
  // Browsers still run timers of a hidden page once a second, or later once a minute; here they are stopped
  // completely.
  await page.evaluate(() => {
    const [set, clear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
    const held = new Map<number, () => void>();
    // Negative numbers, which the browser never uses, so that clearing a held timer can't clear another.
    let number = -1;
    Object.assign(window, {
      setTimeout: (act: () => void): number => {
        number -= 1;
        held.set(number, act);
        return number;
      },
      clearTimeout: (timer?: number): void => {
        if (timer === undefined || !held.delete(timer)) clear(timer);
      },
      goOn: () => {
        Object.assign(window, { setTimeout: set });
        for (const [timer, act] of held)
          set(() => {
            if (held.delete(timer)) act();
          });
      },
    });
  });
  await page.keyboard.press('Enter');
  const printed = Array.from({ length: 400_000 }, (_, at) => String(at + 1).length + 2);
  const bytes = printed.reduce((sum, each) => sum + each, 0);
  await expect.poll(async () => (await console.received(key)).bytes).toBeGreaterThanOrEqual(bytes);
  expect(await console.received(key)).toMatchObject({ missedBytes: 0 });
  expect(JSON.stringify(await console.screen(key))).not.toContain('400000');
  await page.evaluate(() => (window as unknown as { goOn: () => void }).goOn());
  await setHidden(console, false);
  await console.shows(key, '400000');
});

test('a page that is shown again does not mark busy processes as idle', async ({
  agent,
  console,
  secondPage,
}) => {
  const busy = await agent.start(['sh', '-c', 'while sleep 0.1; do echo tick$((1)); done'], { tty: true });
  const looking = await secondPage();
  await expect(console.row(busy.key)).toContainText('tick1');
  await setHidden(console, true);
  // The hidden page's state is older than this process.
  const idle = await agent.start(['sh', '-c', 'echo once; exec sleep 1000'], { tty: true });
  await expect(looking.row(idle.key)).toContainText('idle');
  await console.row(busy.key).evaluate((row) => {
    const seen: string[] = [];
    Object.assign(window, { seenOfBusy: seen });
    new MutationObserver(() => seen.push(row.textContent)).observe(row, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await setHidden(console, false);
  await expect(console.row(idle.key)).toContainText('idle');
  const seenOfBusy = await console.page.evaluate(
    () => (window as unknown as { seenOfBusy: string[] }).seenOfBusy,
  );
  expect(seenOfBusy.length).toBeGreaterThan(0);
  expect(seenOfBusy.filter((text) => text.includes('idle'))).toEqual([]);
});

for (const isControlled of [false, true])
  test(`a hidden page plays the bell of a process that it ${isControlled ? 'controls' : 'does not control'} once`, async ({
    agent,
    page,
    gateway,
  }) => {
    await page.addInitScript(() => {
      const sounds: string[] = [];
      Object.assign(window, { sounds });
      // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
      const { start } = OscillatorNode.prototype;
      OscillatorNode.prototype.start = function (when) {
        sounds.push('bell');
        start.call(this, when);
      };
    });
    const { asked } = spokenWith(page);
    const console = await ConsolePage.of(page, gateway);
    const sounds = (): Promise<string[]> =>
      page.evaluate(() => (window as unknown as { sounds: string[] }).sounds);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('radio', { name: 'Sound' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    const rings = String.raw`stty -echo; while read -r line; do printf "$line \a\n"; done`;
    const [shown, other] = [
      await agent.start(['sh', '-c', rings], { tty: true }),
      await agent.start(['sh', '-c', rings], { tty: true }),
    ];
    const pane = await console.open(shown.key);
    if (isControlled) await pane.getByRole('button', { name: 'Take control' }).click();
    await setHidden(console, true);
    if (!isControlled) await expect.poll(() => asked).toContain('process/detach');
    /** Returns the sounds played so far, once the page has processed everything sent to it. */
    const allSounds = async (): Promise<string[]> => {
      const last = await agent.start(['true']);
      await expect(console.row(last.key)).toBeAttached();
      return sounds();
    };
    await agent.write({ processId: other.processId }, 'in no pane\n');
    await agent.waitOutput(other.processId, 'in no pane');
    expect(await allSounds()).toEqual([]);
    await agent.write({ processId: shown.processId }, 'in a pane\n');
    await expect.poll(sounds).toEqual(['bell']);
    if (!isControlled) await setHidden(console, false);
    await console.shows(shown.key, 'in a pane');
    expect(await allSounds()).toEqual(['bell']);
  });
