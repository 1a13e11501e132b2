// The commands that list and end processes, in scripts, and their messages without access to a gateway.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine, lines, untilPrinted } from '../testing/command-line.ts';
import { FaultProxy } from '../testing/fault-proxy.ts';
import { TestServer } from '../testing/test-server.ts';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

describe('ps', () => {
  it('lists running processes for people, and all for scripts', async () => {
    const key = await line.started('listed', 'echo ready; exec sleep 1000');
    await line.outcome(['run', '--label', 'over', '--', 'sh', '-c', 'exit 3']);
    const { stdout } = await line.outcome(['ps']);
    const [head, ...rows] = stdout.toString().trimEnd().split('\n');
    expect(head).toMatch(/^KEY +STATE +TIME +BY +COMMAND$/);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(
      new RegExp(`^${key.slice(0, 8)} +running +(<1|\\d+)s +cli +\\[listed\\] bash -c 'echo ready; `),
    );
    const all = await line.outcome(['ps', '-a']);
    expect(all.stdout.toString()).toMatch(/failed · exit 3 +(<1|\d+)s +cli +\[over\] sh -c 'exit 3'/);
    expect(await line.processes()).toEqual([
      expect.objectContaining({ key, label: 'listed', state: 'running' }),
      expect.objectContaining({ label: 'over', exitCode: 3 }),
    ]);
    await line.outcome(['stop', '--grace', '0', key]);
  });

  it('[CL8] repeats its request after a lost connection', async () => {
    const key = await line.started('asked-for', 'echo ready; exec sleep 1000');
    const proxy = await FaultProxy.listen(Number(new URL(line.url).port));
    const { token } = line.announced();
    const env = { EXEC_CONSOLE_URL: `ws://127.0.0.1:${proxy.port}`, EXEC_CONSOLE_TOKEN: token };
    const answered = proxy.holdAt('asked-for');
    const asking = line.spawn(['ps', '--json'], env);
    const exit = once(asking, 'exit');
    const listed = untilPrinted(asking.stdout, key);
    const reconnected = untilPrinted(asking.stderr, 'reconnected');
    const goOn = await answered;
    proxy.cut();
    goOn();
    await reconnected;
    await listed;
    expect(await exit).toEqual([0, null]);
    await proxy.close();
    await line.outcome(['stop', '-g', '0', key]);
  });
});

describe('logs', () => {
  it('[CL9] writes the retained bytes unchanged to stdout and stderr', async () => {
    await line.outcome([
      'run',
      '-l',
      'bytes',
      '--',
      'bash',
      '-c',
      'printf "a\\0\\xff"; printf err >&2; printf z',
    ]);
    const { code, stdout, stderr } = await line.outcome(['logs', 'bytes']);
    expect([code, stdout, stderr]).toEqual([0, Buffer.from('a\0\xffz', 'latin1'), 'err']);
  });

  it('[CL9] prints output that only the recording still has', async () => {
    await line.outcome(['run', '-l', 'long', '--', 'head', '-c', '3000000', '/dev/zero']);
    const { stdout, stderr } = await line.outcome(['logs', 'long']);
    expect(stdout.length).toBe(3_000_000);
    expect(stderr).toBe('');
  });

  it('[CL9] counts the evicted bytes where nothing is recorded', async () => {
    const unrecorded = await CommandLine.start({ flags: ['--record', 'off'] });
    await unrecorded.outcome(['run', '-l', 'long', '--', 'head', '-c', '3000000', '/dev/zero']);
    const { stdout, stderr } = await unrecorded.outcome(['logs', 'long']);
    await unrecorded.stop();
    const [, missing] = /^exec-console: ([\d,]+) bytes of output are missing here/.exec(stderr) ?? [];
    const bytes = Number(missing?.replaceAll(',', ''));
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(stdout.length + bytes).toBe(3_000_000);
  });

  it('[CL9] prints events for scripts', async () => {
    await line.outcome(['run', '-l', 'events', '--', 'sh', '-c', 'echo out; exit 4']);
    const { stdout } = await line.outcome(['logs', '--json', 'events']);
    expect(lines(stdout)).toEqual([
      {
        event: 'output',
        seq: 1,
        stream: 'stdout',
        chunk: Buffer.from('out\n').toString('base64'),
        atMs: expect.any(Number),
      },
      { event: 'exited', seq: 2, exitCode: 4, sandboxDenied: false },
      { event: 'closed', seq: 3 },
    ]);
  });

  it.each([['logs', '-f'], ['logs'], ['logs', '-f', '--json']])(
    '[CL9] ends when its stdout is closed: %s %s %s',
    async (...command) => {
      const label = `endless-${command.join('')}`;
      const key = await line.started(label, 'while :; do echo line; sleep 0.01; done');
      const follows = command.includes('-f');
      // The command ends by itself without `-f`, so the output must exceed the capacity of a pipe.
      if (!follows) await line.outcome(['run', '-l', 'much', '--', 'head', '-c', '900000', '/dev/zero']);
      const child = line.spawn([...command, follows ? key : 'much']);
      const exit = once(child, 'exit');
      await once(child.stdout ?? child, 'data');
      child.stdout?.destroy();
      expect(await exit).toEqual([141, null]);
      await line.outcome(['stop', '-g', '0', key]);
    },
  );

  it('[CL9] ends at the end of the log, or with --follow when the process has ended', async () => {
    const key = await line.started('followed', 'echo one; read -rt 1000 <> <(:); echo two');
    const now = await line.outcome(['logs', key]);
    expect([now.code, now.stdout.toString(), now.stderr]).toEqual([0, 'one\n', '']);
    const following = line.outcome(['logs', '-f', 'followed']);
    const json = line.spawn(['logs', '-f', '--json', 'followed']);
    const printed = createInterface(json.stdout ?? process.stdin);
    const exit = once(json, 'exit');
    await once(printed, 'line');
    expect((await line.outcome(['signal', key, 'TERM'])).code).toBe(0);
    const { code, stdout, stderr } = await following;
    expect([code, stdout.toString(), stderr]).toEqual([0, 'one\n', '']);
    expect(await exit).toEqual([0, null]);
  });
});

describe('signal', () => {
  it.each([
    ['USR', 2, 'expected one of INT, TERM, KILL, HUP, QUIT, TSTP, CONT'],
    ['SIGINT', 0, ''],
  ])('exits with the right code: %s, %i', async (name, code, message) => {
    const key = await line.started(
      `to-${name}`,
      `trap 'exit 11' INT; echo ready; while :; do read -rt 1 <> <(:); done`,
    );
    const sent = await line.outcome(['signal', '--json', key, name]);
    expect([sent.code, sent.stderr]).toEqual([code, expect.stringContaining(message)]);
    if (code === 0) {
      expect(lines(sent.stdout)).toEqual([{ key, signal: 'interrupt', running: true }]);
      const followed = await line.outcome(['logs', '-f', '--json', key]);
      expect(lines(followed.stdout)).toContainEqual(
        expect.objectContaining({ event: 'exited', exitCode: 11 }),
      );
      const late = await line.outcome(['signal', key, name]);
      expect([late.code, late.stderr]).toEqual([
        0,
        'exec-console: the process had already ended, so no signal was sent\n',
      ]);
      const json = await line.outcome(['signal', '--json', key, name]);
      expect([lines(json.stdout), json.stderr]).toEqual([[{ key, signal: 'interrupt', running: false }], '']);
    } else {
      await line.outcome(['stop', '-g', '0', key]);
    }
  });
});

describe('link', () => {
  it('[CL2] prints a sign-in link that works, for the requested role', async () => {
    const { stdout } = await line.outcome(['link']);
    const [, origin = '', code] =
      /^(http:\/\/127\.0\.0\.1:\d+)\/#code=([\w-]+)\n$/.exec(stdout.toString()) ?? [];
    const answer = await fetch(`${origin}/auth/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ code }),
    });
    expect(await answer.json()).toMatchObject({ role: 'operator' });
    expect((await line.outcome(['link', '--role', 'king'])).code).toBe(2);
    expect((await line.outcome(['link', '--role', 'admin'])).stdout.toString()).toContain('#code=');
    const json = await line.outcome(['link', '--json']);
    expect(lines(json.stdout)).toEqual([
      { url: expect.stringContaining('#code=') as string, expiresAtMs: expect.any(Number) as number },
    ]);
  });
});

describe('share', () => {
  it('[SH1] prints a link to one process, or to all, which is listed and revoked like a token', async () => {
    const key = await line.started('to-share', 'echo ready; exec sleep 1000');
    const one = lines((await line.outcome(['share', '--json', '--expires', '2h', 'to-share'])).stdout)[0] as {
      id: string;
    };
    expect(one).toMatchObject({ url: expect.stringMatching(/\/#share=[\w-]{43}$/) as string });
    const all = await line.outcome(['share']);
    expect(all.stdout.toString()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#share=[\w-]{43}\n$/);
    const listed = (await line.outcome(['token', 'list'])).stdout.toString();
    expect(listed).toMatch(new RegExp(`^${one.id} +share +\\d{4}-.* process ${key}, shared by cli$`, 'm'));
    expect(listed).toMatch(/ share +\d{4}-.* all processes, shared by cli$/m);
    expect((await line.outcome(['token', 'revoke', one.id])).stdout.toString()).toBe(`revoked ${one.id}\n`);
    expect((await line.outcome(['token', 'list'])).stdout.toString()).not.toContain(one.id);
    const tooLong = await line.outcome(['share', '--expires', '8d']);
    expect([tooLong.code, tooLong.stderr]).toEqual([2, expect.stringContaining('at most 7d')]);
    await line.outcome(['stop', '-g', '0', key]);
  });
});

const NOBODY = 'no process has the label "nobody" or a key that begins with it; list all with: ';

describe('A command that cannot succeed', () => {
  it.each([
    [['nonsense'], 2, 'unknown command "nonsense"'],
    [['lgs'], 2, 'unknown command "lgs"; did you mean logs?'],
    [['run'], 2, 'run needs COMMAND; usage: exec-console run [flags] [--] COMMAND [ARGUMENT…]'],
    [['ps', '--colour'], 2, 'ps has no flag --colour'],
    [['ps', 'extra'], 2, 'unexpected argument "extra"; usage: exec-console ps [flags]'],
    [['stop', 'x', '--grace=-1'], 2, '--grace -1: expected a number of seconds'],
    [['stop', 'x', '--grace', '-1'], 2, '--grace -1: expected a number of seconds from 0 to 600'],
    [['replay', 'x', '--max-idle', '-1'], 2, '--max-idle -1: expected a number above 0'],
    [['search', 'x', '--limit', '-1'], 2, '--limit -1: expected a whole number above 0'],
    [['stop', 'x', '--grace', 'soon'], 2, '--grace soon: expected a number of seconds from 0 to 600'],
    [
      ['search', '(', '--regex'],
      2,
      '"(" is not a valid regular expression: unterminated group; correct it, or omit --regex to search for the text itself',
    ],
    [['unpause', 'h-0'], 5, 'there is no pause with the ID "h-0"; to end all pauses: exec-console unpause'],
    [['unpause', 'a', 'b'], 2, 'unexpected argument "b"; usage: exec-console unpause [flags] [ID]'],
    [['unpause', 'a', '--agent', 'b'], 2, 'use either an ID or --agent, not both'],
    [['policy', 'set'], 2, 'policy set needs a policy: expected one of never, on-request'],
    [
      ['policy', 'check', '--rules', '/none', '--', 'ls'],
      2,
      '--rules /none: this file or folder does not exist',
    ],
    [['ps', '--url', 'ws://127.0.0.1:1', '--token-file', '/tmp'], 2, '--token-file /tmp: it is a folder'],
    [['logs', 'nobody'], 5, `${NOBODY}exec-console history`],
    [['replay', 'nobody'], 5, `${NOBODY}exec-console history`],
    [['history', 'rm', 'nobody'], 5, `${NOBODY}exec-console history`],
    ...['attach', 'stop', 'share'].map((name): [string[], number, string] => [
      [name, 'nobody'],
      5,
      `${NOBODY}exec-console ps --all`,
    ]),
    [['signal', 'nobody', 'INT'], 5, `${NOBODY}exec-console ps --all`],
    [['signal', 'nobody', 'INTT'], 2, 'signal INTT: expected one of INT, TERM'],
    ...['approve', 'decline', 'abort'].map((name): [string[], number, string] => [
      [name, '99'],
      5,
      'no request has the ID "99"; list those that are waiting with: exec-console approvals',
    ]),
    [['ps', '--url', 'ws://127.0.0.1:1', '--token-file', '/proc/none'], 2, '--token-file /proc/none:'],
    [['ps', '--url', 'ws://127.0.0.1:1'], 2, 'a gateway given by its address needs a token'],
    [['ps', '--url', 'ws://127.0.0.1:2/?token=x'], 3, 'no gateway answers at 127.0.0.1:2 (ECONNREFUSED)'],
  ])('%j: %i, %s', async (args, code, message) => {
    const outcome = await line.outcome(args);
    expect([outcome.code, outcome.stdout.toString()]).toEqual([code, '']);
    expect(outcome.stderr).toContain(`exec-console: ${message}`);
  });

  it('[CL3] exits with 3 without a gateway, or with only the files of a dead one', async () => {
    const state = mkdtempSync(join(tmpdir(), 'exec-console-state-'));
    const env = { XDG_STATE_HOME: state };
    const none = await line.outcome(['run', 'true'], { env });
    expect([none.code, none.stdout.toString()]).toEqual([3, '']);
    expect(none.stderr).toContain('no gateway is running; start one with: exec-console');
    expect(none.stderr).toContain(`The state folder is ${join(state, 'exec-console')}; set --state-dir`);
    mkdirSync(join(state, 'exec-console'));
    const { pid = 0 } = line.spawn(['--version']);
    writeFileSync(join(state, 'exec-console/cli-token'), 'token');
    await expect.poll(() => isRunning(pid)).toBe(false);
    writeFileSync(join(state, 'exec-console/gateway.json'), JSON.stringify({ url: 'ws://127.0.0.1:1', pid }));
    expect((await line.outcome(['ps'], { env })).code).toBe(3);
    rmSync(state, { recursive: true });
  });

  it('exits with 4 when its token does not permit it', async () => {
    const server = await TestServer.start();
    const as = (token: string) => ({ env: { EXEC_CONSOLE_URL: server.url, EXEC_CONSOLE_TOKEN: token } });
    const wrong = await line.outcome(['ps'], as('wrong'));
    expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('refused')]);
    const agent = await line.outcome(['ps'], as(server.token('agent')));
    expect([agent.code, agent.stderr]).toEqual([4, expect.stringContaining('this token is for agents')]);
    const observer = await line.outcome(['link'], as(server.token('observer')));
    expect([observer.code, observer.stderr]).toEqual([
      4,
      expect.stringContaining('the observer has the role observer'),
    ]);
    for (const [args, role, needed] of [
      [['run', 'true'], 'observer', 'operator'],
      [['pause'], 'observer', 'operator'],
      [['policy', 'accept'], 'operator', 'admin'],
      [['history', 'rm', '--agent', 'x'], 'operator', 'admin'],
    ] as const) {
      const { code, stderr } = await line.outcome([...args], as(server.token(role)));
      expect([args, code, stderr]).toEqual([
        args,
        4,
        `exec-console: the token's role is ${role}, but this needs the role ${needed}\n` +
          `Use a token with that role; an admin creates one with: exec-console token create NAME --role ${needed}\n`,
      ]);
    }
    await server.stop();
  });

  it('exits with 2 for a wrong value, whether a gateway is running or not', async () => {
    const state = mkdtempSync(join(tmpdir(), 'exec-console-state-'));
    const env = { XDG_STATE_HOME: state };
    for (const args of [
      ['search', 'x', '--limit', '0'],
      ['search', '(', '--regex'],
      ['history', '--since', 'then'],
      ['history', 'rm', '--before', 'then'],
      ['history', 'rm'],
    ])
      expect([args, (await line.outcome(args, { env })).code]).toEqual([args, 2]);
    rmSync(state, { recursive: true });
  });
});

it('keep --version prints the version of the gateway', async () => {
  const [keep, gateway] = [await line.outcome(['keep', '--version']), await line.outcome(['--version'])];
  expect(keep).toMatchObject({ code: 0, stdout: gateway.stdout, stderr: '' });
});

it('--help describes every command', async () => {
  const { stdout } = await line.outcome(['--help']);
  for (const name of ['run', 'ps', 'attach', 'logs', 'signal', 'stop', 'link']) {
    expect(stdout.toString()).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    const help = await line.outcome([name, '--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout.toString()).toMatch(new RegExp(`^Usage: exec-console ${name} .*[^]*--token-file`));
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
