// exec-console run in scripts: input, output and exit code are exact.
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';
import { FaultProxy } from '../testing/fault-proxy.ts';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

const run = (script: string, input: string | Buffer = '') =>
  line.outcome(['run', '--', 'bash', '-c', script], { input });

/**
 * Collects the output of a stream: `all` returns it, and `printed` waits for a text in it. The output is complete at
 * the child's `close`, not at its `exit`.
 */
function collect(stream: NodeJS.ReadableStream | null) {
  if (!stream) throw new Error('invariant violation: no pipe');
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const all = (): string => Buffer.concat(chunks).toString();
  const printed = async (text: string): Promise<void> => {
    while (!all().includes(text)) await once(stream, 'data');
  };
  return { all, printed };
}

describe('The exit code', () => {
  it.each([
    ['is that of the command', ['bash', '-c', 'exit 3'], 3, ''],
    ['is that of a signal', ['bash', '-c', 'kill -TERM $$'], 143, ''],
    [
      'reports a missing command',
      ['no-such-command'],
      127,
      'exec-console: cannot start "no-such-command": not found in PATH\nCheck the name, or give the path of the program: the gateway searches the folders of its own PATH.\n',
    ],
    [
      'reports a missing path',
      ['/proc/none/command'],
      127,
      'exec-console: cannot start "/proc/none/command": not found\nCheck the path, which must exist on the gateway\'s machine.\n',
    ],
    [
      'reports a file that cannot be run',
      ['/tmp'],
      126,
      'exec-console: cannot start "/tmp": not an executable file\nName a file that may be executed, or the program that runs it, such as: exec-console run -- bash FILE\n',
    ],
  ])('%s', async (_, argv, code, message) => {
    const outcome = await line.outcome(['run', '--', ...argv]);
    expect(outcome).toMatchObject({ code, stderr: expect.stringContaining(message) as string });
    expect(outcome.stdout).toHaveLength(0);
  });

  it('reports a missing folder, and the flag for another one', async () => {
    const { code, stderr } = await line.outcome(['run', '--cwd', '/proc/none', '--', 'true']);
    expect([code, stderr]).toEqual([
      126,
      'exec-console: folder /proc/none does not exist\nChoose another working directory with --cwd DIR.\n',
    ]);
  });
});

describe('Stdin, stdout and stderr', () => {
  it('[CL4] are passed on separately and unchanged', async () => {
    const { code, stdout, stderr } = await run('printf "a\\0b"; printf "c\\xff" >&2');
    expect([code, stdout, stderr]).toEqual([0, Buffer.from('a\0b'), 'c\ufffd']);
  });

  it('[CL4] carry a megabyte of random bytes both ways, and the end', async () => {
    const input = randomBytes(1_000_000);
    const { code, stdout, stderr } = await line.outcome(['run', 'cat'], { input });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.equals(input)).toBe(true);
  });

  it('[CL4] end the command when its stdout is closed', async () => {
    const child = line.spawn(['run', '--label', 'endless', '--', 'yes']);
    const exit = once(child, 'exit');
    await once(child.stdout ?? child, 'data');
    child.stdout?.destroy();
    expect(await exit).toEqual([141, null]);
    const [endless] = (await line.processes()).filter(({ label }) => label === 'endless');
    expect(endless?.terminatingSinceMs !== null || endless.state !== 'running').toBe(true);
  });

  it('[CL8] lose and repeat nothing when the connection is lost', async () => {
    const proxy = await FaultProxy.listen(Number(new URL(line.url).port));
    const { token } = line.announced();
    const env = { EXEC_CONSOLE_URL: `ws://127.0.0.1:${proxy.port}`, EXEC_CONSOLE_TOKEN: token };
    const child = line.spawn(['run', '--', 'bash', '-c', 'seq 1 100000; echo end; cat'], env);
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    const closed = once(child, 'close');
    await out.printed('\n5000\n');
    proxy.cut();
    await out.printed('end\n');
    child.stdin?.write('one\n');
    await out.printed('one\n');
    proxy.cut();
    child.stdin?.end('two\n');
    expect(await closed).toEqual([0, null]);
    const numbers = Array.from({ length: 100_000 }, (_, n) => `${n + 1}\n`).join('');
    expect(out.all() === `${numbers}end\none\ntwo\n`).toBe(true);
    expect(err.all()).toContain('reconnected');
    await proxy.close();
  });
});

it.each([
  ['SIGINT', 'INT'],
  ['SIGTERM', 'TERM'],
] as const)('[CL4] run passes on %s', async (signal, name) => {
  const child = line.spawn([
    'run',
    '--',
    'bash',
    '-c',
    `trap 'exit 9' ${name}; echo ready; while :; do read; done`,
  ]);
  const exit = once(child, 'exit');
  await collect(child.stdout).printed('ready');
  child.kill(signal);
  expect(await exit).toEqual([9, null]);
});

describe('A signal while the gateway starts the process', () => {
  /** Starts a process; the gateway's reply to the start is delayed until `release` is called. */
  async function starting(label: string) {
    const proxy = await FaultProxy.listen(Number(new URL(line.url).port));
    const { token } = line.announced();
    const env = { EXEC_CONSOLE_URL: `ws://127.0.0.1:${proxy.port}`, EXEC_CONSOLE_TOKEN: token };
    const answered = proxy.holdAt('"sandboxType"');
    const child = line.spawn(['run', '--label', label, '--', 'sleep', '1000'], env);
    const err = collect(child.stderr);
    const closed = once(child, 'close');
    const release = await answered;
    const signal = async (name: 'SIGINT' | 'SIGTERM'): Promise<void> => {
      child.kill(name);
      await Promise.race([err.printed(`${name} will be sent to the process`), closed]);
    };
    const info = async () => (await line.processes()).find((each) => each.label === label);
    return { child, err, closed, release, signal, info, close: () => proxy.close() };
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('[CL4] is sent to it once it has started: %s', async (name, code) => {
    const { signal, release, closed, info, close } = await starting(`early-${name}`);
    await signal(name);
    release();
    expect(await closed).toEqual([code, null]);
    expect((await info())?.signal).toBe(name);
    await close();
  });

  it('[CL4] ends the command itself when it is the second, with a note about the process', async () => {
    const { child, err, signal, closed, info, close } = await starting('twice');
    await signal('SIGINT');
    child.kill('SIGTERM');
    expect(await closed).toEqual([143, null]);
    expect(err.all()).toContain('[twice] sleep 1000 may have been started; check with: exec-console ps');
    expect(await info()).toMatchObject({ state: 'running' });
    await line.outcome(['stop', '-g', '0', 'twice']);
    await close();
  });
});

it('run uses the caller’s folder, and applies variables, label and --cwd', async () => {
  const { stdout } = await line.outcome([
    'run',
    '-l',
    'named',
    '-e',
    'A=b=c',
    '--',
    'sh',
    '-c',
    'pwd; echo $A',
  ]);
  expect(stdout.toString()).toBe(`${tmpdir()}\nb=c\n`);
  const [named] = (await line.processes()).filter(({ label }) => label === 'named');
  expect(named).toMatchObject({ startedBy: 'cli', session: 'console', tty: false, cwd: tmpdir() });
  const elsewhere = await line.outcome(['run', '--cwd', '/usr', 'pwd']);
  expect(elsewhere.stdout.toString()).toBe('/usr\n');
});

it('run passes the flags after the command to the command', async () => {
  const { stdout } = await line.outcome(['run', 'echo', '--label', '-h', '--', '--help']);
  expect(stdout.toString()).toBe('--label -h -- --help\n');
});

it('[CL8] run reports that the gateway is unreachable', async () => {
  const other = await CommandLine.start({ flags: ['--keeper', 'off'] });
  const child = other.spawn(['run', '--', 'sh', '-c', 'echo ready; read x']);
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const closed = once(child, 'close');
  await out.printed('ready');
  other.gateway.kill('SIGKILL');
  expect(await closed).toEqual([6, null]);
  expect(err.all()).toContain('the gateway and its processes have ended');
  await other.stop();
});
