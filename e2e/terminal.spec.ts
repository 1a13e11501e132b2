// Full-screen programs are drawn as in a terminal, and copying does not interrupt.
import { expect, test } from './fixtures.ts';

test('full-screen programs draw, copy and interrupt, and a terminal shows them as they are and answers no old queries', async ({
  agent,
  console,
}) => {
  await test.step('replayed queries are not answered', async () => {
    // The program sends queries to its terminal, then prints its input, in which an answer would begin with `^[`.
    const script = `printf '\\033[c\\033[6n\\033]11;?\\007\\033P$qm\\033\\\\'; echo asked; cat -v`;
    const { key, processId } = await agent.start(['/bin/sh', '-c', script], { tty: true });
    await agent.waitOutput(processId, 'asked');
    await console.open(key);
    await console.shows(key, 'asked');
    await console.type(key, 'x\n');
    await agent.waitOutput(processId, 'x\r\nx\r\n');
    expect(agent.output(processId).toString()).not.toContain('^[');
  });
  await test.step('inverse letters have the background colour', async () => {
    const script = String.raw`printf '\033[7;32mPASS\033[0m\n'; read x`;
    const { key } = await agent.start(['/bin/sh', '-c', script], { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'PASS');
    const ground = await pane.evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect(pane.locator('.xterm-rows span', { hasText: 'PASS' })).toHaveCSS('color', ground);
  });
  await test.step('stderr of a pipe process keeps its own colours in the terminal, and line ends are right', async () => {
    // Two pipes have no common order, so each line waits until the previous one has arrived.
    const script = String.raw`echo out; read go; printf 'err\033[0m\nerr again\n' >&2; read go; echo out again`;
    const { key, processId } = await agent.start(['/bin/sh', '-c', script], { pipeStdin: true });
    await agent.waitOutput(processId, 'out\n');
    await agent.write({ processId }, 'go\n');
    await agent.waitOutput(processId, 'err again\n');
    await agent.write({ processId }, 'go\n');
    const pane = await console.open(key);
    await pane.getByRole('button', { name: 'Terminal' }).click();
    await console.shows(key, /^out\nerr\nerr again\nout again/m);
    // The buffer's text is drawn with the next frame.
    await expect(pane.locator('.xterm-rows')).toContainText('err again');
    await expect(pane.locator('.xterm-rows .xterm-fg-1')).toHaveCount(0);
  });
  await test.step('vim draws, edits and quits', async () => {
    const key = await console.start('vim -u NONE -N --noplugin');
    await console.shows(key, /VIM - Vi IMproved/);
    await console.type(key, 'ihello from vim');
    await console.shows(key, /hello from vim[\s\S]*-- INSERT --/);
    await console.page.keyboard.press('Escape');
    await console.page.keyboard.type(':q!\n');
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'succeeded');
  });
  await test.step('htop draws its meters and its list', async () => {
    const key = await console.start('htop');
    await console.shows(key, /PID\s+USER/);
    await console.shows(key, /F10\s?Quit/);
    await console.type(key, 'q');
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'succeeded');
  });
  await test.step('less pages, and its screen disappears when it quits', async () => {
    const key = await console.start('seq 1 500 | less; echo done-$((1+1))');
    await console.shows(key, /^1\n2\n3\n/);
    await console.type(key, 'G');
    await console.shows(key, /500\n/);
    await console.page.keyboard.type('q');
    await console.shows(key, 'done-2');
  });
  await test.step('Ctrl-C with a selection copies, without one it interrupts', async () => {
    const key = await console.start('bash --norc --noprofile -i');
    await console.type(key, 'clear; echo copy-me; cat\n');
    await console.shows(key, /copy-me\n/);
    await console
      .pane(key)
      .locator('.xterm-screen')
      .dblclick({ position: { x: 20, y: 8 } });
    await console.page.keyboard.press('Control+c');
    await expect.poll(() => console.page.evaluate(() => navigator.clipboard.readText())).toContain('copy-me');
    await expect(console.page.getByRole('status', { name: 'Done' })).toHaveText('Copied');
    expect(await console.text(key)).not.toContain('^C');
    await console.page.keyboard.press('Control+c');
    await console.shows(key, '^C');
  });
  await test.step('a process that the page starts has the size of its pane, and follows it', async () => {
    const key = await console.start('bash --norc --noprofile -i');
    const size = await console.sizeOtherThan(key, { rows: 24, cols: 80 });
    await console.type(key, 'stty size\n');
    await console.shows(key, `${size.rows} ${size.cols}`);
    await console.page.setViewportSize({ width: 900, height: 700 });
    const smaller = await console.sizeOtherThan(key, size);
    await console.type(key, 'clear; stty size\n');
    await console.shows(key, `${smaller.rows} ${smaller.cols}`);
  });
});

test('Ctrl-C reaches a program that floods its terminal, and every key of a fast typist arrives once', async ({
  console,
}) => {
  const flood = await console.start('yes a line of output that never ends');
  await console.shows(flood, /never ends\n(.*\n){200}/);
  const typing = await console.start('cat');
  const text = 'the quick brown fox jumps over the lazy dog 0123456789 '.repeat(4);
  await console.type(typing, `${text}\n`);
  await console.shows(typing, new RegExp(`${text.trimEnd()}\\s+${text.trimEnd()}`));
  await console.open(flood);
  await console.page.keyboard.press('Control+c');
  await expect(console.row(flood)).toHaveAttribute('data-process-status', 'stopped');
  await expect(console.pane(flood)).toHaveAttribute('data-output-complete', 'true');
  const { bytes, missedBytes } = await console.received(flood);
  // The number of bytes in the list is updated a little later than the pane.
  const listed = () =>
    console.page.evaluate(
      (key) => window.execConsole.processes().find((process) => process.key === key)?.outputBytes,
      flood,
    );
  await expect.poll(listed).toBe(bytes + missedBytes);
});
