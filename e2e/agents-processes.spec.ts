// An agent's processes are visible live on every open page, and viewing changes nothing.
import { expect, test } from './fixtures.ts';

const BASH = ['/bin/bash', '--norc', '--noprofile', '-i'];

test('an agent’s processes are visible live, accept keys and control from a person, and end with all their children', async ({
  agent,
  console,
}) => {
  await test.step('an agent’s shell and pipe process appear without a reload, and stream', async () => {
    const shell = await agent.start(BASH, { tty: true });
    const pipe = await agent.start(['/bin/sh', '-c', 'echo to stdout; echo to stderr >&2; cat'], {
      pipeStdin: true,
    });
    await expect(console.row(shell.key)).toHaveAttribute('data-process-status', 'running');
    await expect(console.row(pipe.key)).toHaveAttribute('data-process-status', 'running');

    await console.open(shell.key);
    await console.open(pipe.key);
    await console.shows(pipe.key, 'to stdout');
    await console.shows(pipe.key, 'to stderr');
    await agent.write({ processId: shell.processId }, 'echo from-the-$((40+2))\n');
    await console.shows(shell.key, 'from-the-42');
  });
  await test.step('keys that a person types reach the agent’s shell, and Ctrl-C interrupts its job', async () => {
    const { key, processId } = await agent.start(BASH, { tty: true });
    await console.open(key);
    await console.type(key, 'echo typed-$((6*7))\n');
    await console.shows(key, 'typed-42');

    await console.type(key, `sh -c 'echo job-$((40+2)); exec sleep 1000'\n`);
    await agent.waitOutput(processId, 'job-42');
    await console.page.keyboard.press('Control+c');
    await console.type(key, 'echo next-$((1+1))\n');
    await console.shows(key, 'next-2');
    expect(await console.text(key)).toContain('^C');
  });
  await test.step('the Interrupt button reaches the foreground job of an interactive shell', async () => {
    const { key, processId } = await agent.start(BASH, { tty: true });
    await console.open(key);
    await agent.write({ processId }, `sh -c 'echo job-$((40+2)); exec sleep 1000'\n`);
    await agent.waitOutput(processId, 'job-42');
    await console.pane(key).getByRole('button', { name: 'Interrupt' }).click();
    await agent.write({ processId }, 'echo after-$((1+1))\n');
    await console.shows(key, 'after-2');
    await expect(console.pane(key)).toHaveAttribute('data-process-status', 'running');
  });
  await test.step('Terminate ends a process and its grandchildren, and the row shows who did it', async () => {
    const script = 'sh -c "sleep 1000 & echo grandchild \\$!; wait" & wait';
    const { key, processId } = await agent.start(['/bin/bash', '-c', script], { tty: true });
    const printed = await agent.until(
      () => /grandchild (\d+)\r/.exec(agent.output(processId).toString()),
      'the grandchild’s pid',
    );
    const pid = Number(printed?.[1]);
    expect(exists(pid)).toBe(true);

    const pane = await console.open(key);
    await pane.getByRole('button', { name: 'Terminate' }).click();
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'stopped');
    await expect(console.row(key)).toContainText(/terminated by \S+/);
    await expect(console.row(key)).toHaveAttribute('data-output-complete', 'true');
    // The grandchild is dead by now, but its PID exists until init has reaped it.
    await expect.poll(() => exists(pid)).toBe(false);
    const info = await console.page.evaluate(
      (k) => window.execConsole.processes().find((p) => p.key === k),
      key,
    );
    expect(info).toMatchObject({ endedBy: { how: 'terminate' } });
  });
  await test.step('watching an agent’s terminal does not resize it; taking control does', async () => {
    const { key, processId } = await agent.start(BASH, { tty: true });
    const pane = await console.open(key);
    await agent.write({ processId }, 'stty size\n');
    await console.shows(key, /\b24 80\b/);

    await pane.getByRole('button', { name: 'Take control' }).click();
    const size = await console.sizeOtherThan(key, { rows: 24, cols: 80 });
    expect(size.cols).toBeGreaterThan(80);
    await agent.write({ processId }, 'clear; stty size\n');
    await console.shows(key, `${size.rows} ${size.cols}`);

    await console.page.setViewportSize({ width: 1000, height: 600 });
    const smaller = await console.sizeOtherThan(key, size);
    expect(smaller.cols).toBeLessThan(size.cols);
    await agent.write({ processId }, 'clear; stty size\n');
    await console.shows(key, `${smaller.rows} ${smaller.cols}`);
  });
});

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a second page shows the same output, including input typed in the first page', async ({
  agent,
  console,
  secondPage,
}) => {
  const { key } = await agent.start(BASH, { tty: true });
  const other = await secondPage();
  await console.open(key);
  await other.open(key);
  await console.type(key, 'echo seen-by-$((1+1))\n');
  await other.shows(key, 'seen-by-2');
  await console.shows(key, 'seen-by-2');
  // The comparison is repeated, because the prompt follows in a separate write.
  await expect(async () => {
    expect(await other.received(key)).toEqual(await console.received(key));
  }).toPass();
});
