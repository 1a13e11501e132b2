// Sandboxed processes through the whole gateway: start, denial, signals, end and display.
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessInfo, WatchResult } from '../../../protocol/console.ts';
import { readOnly, workspaceWrite } from '../../testing/intents.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let client: TestClient;
let work: string;

beforeAll(async () => {
  // A floor leaves /tmp writable, so the folder is elsewhere.
  work = realpathSync(mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'enclosed-')));
  server = await TestServer.start();
});
afterAll(async () => {
  await server.stop();
  rmSync(work, { recursive: true });
});
beforeEach(async () => {
  client = await server.client();
});

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const here = (): string => pathToFileURL(work).href;

interface Outcome {
  readonly output: string;
  readonly exitCode?: unknown;
  readonly sandboxDenied?: unknown;
}

async function outcome(processId: string): Promise<Outcome> {
  await client.waitEvent(processId, 'process/closed');
  const { params } = await client.waitEvent(processId, 'process/exited');
  return { ...params, output: client.output(processId).toString() };
}

async function infoOf(key: string, from = server): Promise<ProcessInfo> {
  const operator = await from.client('operator');
  const { processes } = await operator.request<WatchResult>('console/watch');
  const info = processes.find((each) => each.key === key);
  if (!info) throw new Error('the process is not listed');
  return info;
}

describe('[SB13] The chain of programs that leads into a sandbox', () => {
  const start = (processId: string, argv: string[], env: object, arg0: string | null): Promise<unknown> =>
    client.request('process/start', {
      processId,
      argv,
      arg0,
      cwd: here(),
      env,
      tty: false,
      sandbox: readOnly(work),
    });

  it.runIf(process.platform === 'linux')('ignores the variables of a command', async () => {
    // The loader of every program outside the sandbox would write here.
    const env = { PATH: '/usr/bin:/bin', LD_DEBUG: 'all', LD_DEBUG_OUTPUT: join(work, 'loader') };
    for (const arg0 of [null, 'named']) {
      const processId = `loader-${arg0}`;
      await start(processId, ['/bin/sh', '-c', 'echo "$LD_DEBUG"'], env, arg0);
      const { output } = await outcome(processId);
      expect(output).toContain('all\n');
    }
    expect(readdirSync(work)).toEqual([]);
  });

  it.each([null, 'named'])('passes the variables on unchanged, arg0 %j', async (arg0) => {
    const odd = { 'a.b': '1', empty: '', _: "it's", V0: '$HOME\n\\"x', PERL_BADLANG: '1' };
    const env = { PATH: '/usr/bin:/bin', ...odd };
    await start(`env-${arg0}`, ['/usr/bin/env', '-0'], env, arg0);
    const { output } = await outcome(`env-${arg0}`);
    const expected = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    expect(output.split('\0').slice(0, -1).toSorted()).toEqual(expected.toSorted());
  });

  it('starts a program with a = in its name', async () => {
    writeFileSync(join(work, 'a=b'), '#!/bin/sh\necho ran\n', { mode: 0o755 });
    await start('named', ['./a=b'], { PATH: '/usr/bin:/bin' }, null);
    expect(await outcome('named')).toMatchObject({ output: 'ran\n', exitCode: 0 });
    rmSync(join(work, 'a=b'));
  });
});

describe('[SB1] The sandbox that an agent requests', () => {
  it('allows a read-only command to read everything and write nothing', async () => {
    const started = await client.request<{ key: string; sandboxType: string }>('process/start', {
      processId: 'ro',
      argv: sh('cat /etc/hostname >/dev/null && echo read; echo x > file'),
      cwd: here(),
      env: { PATH: '/usr/bin:/bin' },
      tty: false,
      sandbox: readOnly(work),
    });
    expect(started.sandboxType).toBe('linuxSeccomp');
    expect(await outcome('ro')).toMatchObject({
      exitCode: 2,
      sandboxDenied: true,
      output: expect.stringMatching(/^read\n.*Read-only file system/s),
    });
    expect(existsSync(join(work, 'file'))).toBe(false);
    expect(await client.request('process/read', { processId: 'ro' })).toMatchObject({ sandboxDenied: true });
    expect(await infoOf(started.key)).toMatchObject({
      argv: sh('cat /etc/hostname >/dev/null && echo read; echo x > file'),
      sandbox: 'read-only; no network',
      sandboxDenied: true,
    });
  });

  it('allows writing to the workspace, but not to protected names in it', async () => {
    const { processId, key } = await client.start(
      sh('echo x > file && mkdir .git 2>/dev/null || echo kept; echo y > /var/tmp/outside-of-it || exit 3'),
      { cwd: here(), sandbox: workspaceWrite(work) },
    );
    const { sandbox } = await infoOf(key);
    expect(sandbox).toContain(`writes to ${work}; not to ${work}/.git`);
    expect(await outcome(processId)).toMatchObject({
      exitCode: 3,
      sandboxDenied: true,
      output: expect.stringContaining('kept\n'),
    });
    expect(readdirSync(work)).toEqual(['file']);
    rmSync(join(work, 'file'));
  });

  it('applies on a terminal too, with job control and the right size', async () => {
    const { processId } = await client.start(
      ['/bin/bash', '--norc', '--noprofile', '-ic', 'stty size; set -o | grep monitor; echo x > file'],
      { cwd: here(), tty: true, sandbox: readOnly(work) },
    );
    const { output, sandboxDenied } = await outcome(processId);
    expect(output).toMatch(/24 80\r\nmonitor\s+on\r\n/);
    expect(output).not.toContain('no job control');
    expect(sandboxDenied).toBe(true);
  });

  it.each([
    [
      'an unknown kind',
      { permissions: { type: 'managed', file_system: { type: 'unrestricted' }, network: 'enabled' } },
      -32602,
    ],
    ['a system folder', workspaceWrite('/proc'), -32600],
    ['a folder within a denied one', readOnly('/', { denied: ['/var'] }), -32603],
  ])('is refused before anything is started when it cannot be enforced: %s', async (_what, sandbox, code) => {
    const start = client.start(['/bin/true'], { processId: 'no', cwd: here(), sandbox });
    await expect(start).rejects.toMatchObject({ code, message: expect.stringContaining('sandbox') });
    await expect(client.request('process/read', { processId: 'no' })).rejects.toMatchObject({ code: -32600 });
  });

  it('is not reported as the cause when a command fails by itself, or succeeds', async () => {
    const params = { cwd: here(), sandbox: readOnly(work) };
    const failed = await client.start(sh('echo no such thing; exit 4'), params);
    expect(await outcome(failed.processId)).toMatchObject({ exitCode: 4, sandboxDenied: false });
    const fine = await client.start(sh('echo x > file || true'), params);
    expect(await outcome(fine.processId)).toMatchObject({ exitCode: 0, sandboxDenied: false });
    const outside = await client.start(sh('echo permission denied; exit 4'));
    expect(await outcome(outside.processId)).toMatchObject({ exitCode: 4, sandboxDenied: false });
  });

  it('is reported as the cause even when a grandchild holds the output open', async () => {
    const { processId } = await client.start(sh('setsid sleep 1000 & echo "permission denied"; exit 5'), {
      sandbox: readOnly(work),
    });
    expect(await outcome(processId)).toMatchObject({ exitCode: 5, sandboxDenied: true });
  });
});

describe('[SB9] A sandboxed process', () => {
  const sleeper = 'trap "echo asked; exit 7" TERM HUP INT; echo up; while :; do sleep 0.02; done';

  async function startUp(script: string, more: object = {}) {
    const operator = await server.client('operator');
    const started = await client.start(sh(script), { cwd: here(), sandbox: readOnly(work), ...more });
    await client.waitOutput(started.processId, 'up');
    return { ...started, operator };
  }

  it.each(['interrupt', 'terminate', 'hangup'])('handles a signal: %s', async (signal) => {
    const { processId, key, operator } = await startUp(sleeper);
    await operator.request('process/signal', { key, signal });
    expect(await outcome(processId)).toMatchObject({
      exitCode: 7,
      output: expect.stringMatching(/asked\n$/),
    });
  });

  it('can be terminated with a grace period', async () => {
    const { processId, key, operator } = await startUp(sleeper);
    await operator.request('process/terminate', { key, graceMs: 60_000 });
    expect(await outcome(processId)).toMatchObject({
      exitCode: 7,
      output: expect.stringMatching(/asked\n$/),
    });
    expect((await infoOf(key)).endedBy).toMatchObject({ who: 'the operator', how: 'terminate' });
  });

  it('is killed with everything that it has started when it ignores SIGTERM', async () => {
    const { processId, key, operator } = await startUp(
      'trap "" TERM; setsid sh -c "echo up; exec sleep 1000"',
    );
    await operator.request('process/terminate', { key, graceMs: 50 });
    // The process is closed: no process holds its output open any more, not even one with a separate session.
    expect(await outcome(processId)).toMatchObject({ exitCode: 137 });
  });

  it('can be killed by its owner at once', async () => {
    const { processId } = await startUp('trap "" TERM; echo up; exec sleep 1000');
    expect(await client.request('process/terminate', { processId })).toEqual({ running: true });
    expect(await outcome(processId)).toMatchObject({ exitCode: 137, sandboxDenied: false });
  });

  it('can be stopped and continued from its terminal', async () => {
    const { processId } = await startUp('', {
      argv: ['/bin/bash', '--norc', '--noprofile', '-i'],
      tty: true,
      sandbox: readOnly(work),
      env: { PATH: '/usr/bin:/bin', PS1: 'up ', TERM: 'xterm' },
    });
    // The job is not a shell, since a shell does not stop while it is starting a program (vfork).
    const job = `$| = 1; $SIG{CONT} = sub { print "again\\n"; exit }; print "job\\n"; sleep 1 while 1`;
    await client.write({ processId }, `perl -e '${job}'\n`);
    await client.waitOutput(processId, 'job\r\n');
    await client.write({ processId }, '\u001a');
    await client.waitOutput(processId, 'Stopped');
    await client.write({ processId }, 'fg\n');
    await client.waitOutput(processId, 'again\r\n');
    await client.write({ processId }, 'exit 0\n');
    expect(await outcome(processId)).toMatchObject({ exitCode: 0 });
  });
});

describe('[SB10] The operator’s floor', () => {
  it('read-only applies to requests for more or for no sandbox, in every dialect', async () => {
    const strict = await TestServer.start({}, { sandbox: 'read-only' });
    client = await strict.client('operator');
    for (const sandbox of [null, undefined, workspaceWrite(work, { network: 'enabled' })]) {
      const { processId, key } = await client.start(sh('echo x > file || exit 3'), { cwd: here(), sandbox });
      expect(await outcome(processId)).toMatchObject({ exitCode: 3, sandboxDenied: true });
      expect((await infoOf(key, strict)).sandbox).toBe('read-only; no network');
    }
    const { key } = await client.start(sh('echo x > file || exit 3'), { cwd: here(), session: 'console' });
    const ended = await client.request('process/wait', { key, waitMs: 20_000 });
    expect(ended).toMatchObject({ exitCode: 3 });
    const first = await strict.open();
    await first.request('initialize', { clientName: 'first' });
    first.send({ method: 'initialized' });
    await first.request('command/exec', {
      argv: sh('echo x > file || echo kept'),
      cwd: work,
      env: {},
      tty: false,
    });
    await first.until(
      () =>
        first.log.find((message) =>
          JSON.stringify(message).includes(Buffer.from('kept\n').toString('base64')),
        ),
      'what the first dialect prints',
    );
    expect(existsSync(join(work, 'file'))).toBe(false);
    await expect(
      client.request('http/request', {
        method: 'GET',
        url: 'http://127.0.0.1:9/',
        headers: [],
        requestId: 'r',
      }),
    ).rejects.toMatchObject({ code: -32600, message: expect.stringContaining('no network') });
    await strict.stop();
  });

  it('workspace-write allows writing to the working directory of a command, but not to a home folder', async () => {
    const lenient = await TestServer.start({}, { sandbox: 'workspace-write' });
    client = await lenient.client('operator');
    const own = await client.start(sh('echo x > file && rm file'), { cwd: here() });
    expect(await outcome(own.processId)).toMatchObject({ exitCode: 0 });
    const home = await client.start(sh('echo x > exec-console-was-here || exit 3'), {
      cwd: pathToFileURL(homedir()).href,
    });
    expect(await outcome(home.processId)).toMatchObject({ exitCode: 3, sandboxDenied: true });
    const asked = await client.start(sh('echo x > file || exit 3'), { cwd: here(), sandbox: readOnly(work) });
    expect(await outcome(asked.processId)).toMatchObject({ exitCode: 3 });
    await lenient.stop();
  });
});

it('[HE1] the health of the gateway is reported only with a valid credential', async () => {
  const response = await fetch(`${server.url.replace('ws', 'http')}/status`, {
    headers: { authorization: `Bearer ${server.token('observer')}` },
  });
  expect(await response.json()).toMatchObject({ status: 'ok', reasons: [] });
  const without = await fetch(`${server.url.replace('ws', 'http')}/status`);
  expect(without.status).toBe(401);
  const operator = await server.client('operator');
  expect(await operator.request('console/watch')).toMatchObject({ gateway: { status: 'ok', reasons: [] } });
});
