// Exact screens: a pane opened late, or one that skipped output, shows the same as a terminal that received
// everything.
import { freshTerminal, written } from '../server/testing/seen-terminal.ts';
import type { TestClient } from '../server/testing/test-client.ts';
import { screenText, type ScreenText } from '../web/screen/terminal/buffer-text.ts';
import { expect, test, type ConsolePage } from './fixtures.ts';

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const SIZE = { rows: 24, cols: 80 };

/** Returns the screen of a terminal to which every byte that the agent received was written. */
async function reference(agent: TestClient, processId: string): Promise<ScreenText> {
  const terminal = freshTerminal(SIZE, 1000);
  await written(terminal, agent.output(processId));
  return screenText(terminal);
}

const environment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  TERM: 'xterm-256color',
  HOME: '/nowhere',
};
/** Command that prints more output than the gateway retains. */
const PAST = 'seq 1 400000';

/** Passes once page and reference agree, since programs may keep drawing for a moment. */
const isExact = (page: ConsolePage, key: string, agent: TestClient, processId: string): Promise<void> =>
  expect(async () => {
    expect(await page.screen(key)).toEqual(await reference(agent, processId));
  }).toPass();

test('a pane opened late shows the exact screen of each program', async ({ agent, console, gateway }) => {
  const programs = {
    vim: `${PAST}; seq 1 500 > $0; exec vim -u NONE -c 'set nu | set mouse=a' -c 200 $0`,
    less: `${PAST}; seq 1 5000 > $0; exec less -S $0`,
    'a shell with modes of its own': `${PAST}; printf '\\033[?2004h\\033[?1h\\033[4;20r\\033[12;7H\\033[31mhere 字 👩‍👩‍👧'; sleep 1000`,
  };
  for (const [name, script] of Object.entries(programs)) {
    await test.step(name, async () => {
      const argv = [...sh(script), `${gateway.dir}/file-${name}`];
      const { key, processId } = await agent.start(argv, { tty: true, env: environment });
      // Each program sets this mode when it is ready.
      await expect
        .poll(async () => (await reference(agent, processId)).modes.applicationCursorKeysMode, {
          timeout: 60_000,
        })
        .toBe(true);
      expect(agent.output(processId).length).toBeGreaterThan(1_500_000);
      const pane = await console.open(key);
      await isExact(console, key, agent, processId);
      await expect(pane).toContainText('skipped');
      await expect(pane).not.toContainText('may differ');
    });
  }
});

test('a pane that skipped output of a flood is exact afterwards', async ({ agent, console }) => {
  const flood = `head -c 12000000 /dev/zero | tr '\\0' 'x' | fold -w 61`;
  // Output of an editor that has exited, followed by modes that are set before the flood.
  const editor = String.raw`\033[?1049h\033[?1002h\033[2J\033[?1002l\033[?1049l`;
  const mouse = String.raw`\033[?1000h\033[?1006h\033[?2004h\033[1;32m`;
  const script = `stty -opost; printf '${editor}${mouse}'; read x; ${flood}; printf '\\033[?1049h\\033[5;5Hend'`;
  const { key, processId } = await agent.start(sh(script), { tty: true });
  const pane = await console.open(key);
  await agent.write({ processId }, 'go\n');
  await agent.waitEvent(processId, 'process/closed');
  await expect(pane).toHaveAttribute('data-output-complete', 'true');
  expect((await console.received(key)).missedBytes).toBeGreaterThan(0);
  const { modes, ...screen } = await reference(agent, processId);
  expect(modes.mouseTrackingMode).toBe('vt200');
  // The page shows no cursor and sends no mouse events for an ended process.
  const expected = { ...screen, modes: { ...modes, showCursor: false, mouseTrackingMode: 'none' } };
  await expect.poll(() => console.screen(key)).toEqual(expected);
});

test('the screen of a running program is exact after a lost connection', async ({
  agent,
  proxied,
  network,
}) => {
  const script = `read x; ${PAST}; printf '\\033[?1049h\\033[5;5H\\033[7mend'; sleep 1000`;
  const { key, processId } = await agent.start(sh(script), { tty: true });
  await proxied.open(key);
  network.cut();
  await agent.write({ processId }, 'go\n');
  await agent.waitOutput(processId, 'end');
  network.heal();
  await isExact(proxied, key, agent, processId);
});

test('a resized terminal shows the same screen in a pane opened late as in a live one', async ({
  agent,
  console,
  secondPage,
}) => {
  const draw = (at: string, text: string): string => `read x; printf '\\033[2J\\033[${at}H${text}'`;
  const script = `stty -echo; printf small; ${draw('30;90', 'large')}; ${draw('10;1', 'one\\r\\ntwo')}; read x`;
  const { key, processId } = await agent.start(sh(script), { tty: true });
  await console.open(key);
  await console.shows(key, 'small');
  const late = await secondPage();
  for (const [size, text] of [
    [{ rows: 30, cols: 100 }, 'large'],
    [{ rows: 10, cols: 40 }, 'two'],
  ] as const) {
    await agent.request('process/resize', { processId, ...size });
    await agent.write({ processId }, 'go\n');
    await console.shows(key, text);
    await late.page.reload();
    await late.isOnline();
    await late.open(key);
    await late.shows(key, text);
    expect(await late.screen(key)).toEqual(await console.screen(key));
  }
});
