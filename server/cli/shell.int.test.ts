// exec-console shell: an agent's script runs in the gateway as in the real shell.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import { agentToken, forgetAgentToken } from './agent-token.ts';
import { CommandLine, untilPrinted } from '../testing/command-line.ts';

let line: CommandLine;
let folder: string;
beforeAll(async () => {
  line = await CommandLine.start();
  folder = join(line.stateDir, '../here');
  mkdirSync(folder);
});
afterAll(() => line.stop());

const shell = (script: string, options: Parameters<CommandLine['outcome']>[1] = {}) =>
  line.outcome(['shell', '-c', script], options);

const processOf = async (marker: string): Promise<ProcessInfo | undefined> =>
  (await line.processes()).find(({ argv }) => argv.join(' ').includes(marker));

/** Resolves with the exit code and the signal of a child, one of which is null, as reported to its parent. */
const endOf = async (child: ChildProcess): Promise<readonly [number | null, NodeJS.Signals | null]> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return [child.exitCode, child.signalCode];
};

describe('a script', () => {
  it('[AS1] has the exit code, stdin, stdout and stderr of the real shell', async () => {
    const { code, stdout, stderr } = await shell('cat; printf "b\\0"; echo c >&2; exit 3', { input: 'a\n' });
    expect([code, stdout.toString(), stderr]).toEqual([3, 'a\nb\0', 'c\n']);
  });

  it('[AS1] is a process of the agent, with its thread and call', async () => {
    await line.outcome([
      'shell',
      '--agent',
      'tester',
      '--thread',
      't-1',
      '--call',
      'c-1',
      '-c',
      ': of tester',
    ]);
    expect(await processOf(': of tester')).toMatchObject({
      startedBy: 'tester',
      metadata: { threadId: 't-1', toolCallId: 'c-1' },
    });
  });

  it('[AS1] [PR14] prints to one pipe in the order of printing', async () => {
    const path = join(folder, 'joined');
    const file = openSync(path, 'w');
    const script = 'for i in 1 2 3 4 5 6 7 8; do echo o$i; echo e$i >&2; done';
    const [command = '', ...args] = line.argv(['shell', '-c', script]);
    const child = spawn(command, args, { stdio: ['ignore', file, file], env: line.env });
    expect(await endOf(child)).toEqual([0, null]);
    expect(readFileSync(path, 'utf8')).toBe([1, 2, 3, 4, 5, 6, 7, 8].map((i) => `o${i}\ne${i}\n`).join(''));
  });

  it('[AS1] loses no output to a reader that is slow after its exit', async () => {
    const child = line.spawn(['shell', '-c', 'head -c 1500000 /dev/zero']);
    const { stdout } = child;
    if (!stdout) throw new Error('invariant violation: no pipe');
    let bytes = 0;
    for await (const chunk of stdout) {
      bytes += (chunk as Buffer).length;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(bytes).toBe(1_500_000);
  });

  it('[AS1] runs in the agent’s folder, under the same name', async () => {
    const { stdout } = await shell('pwd; cd ..; pwd');
    expect(stdout.toString()).toBe(`${realpathSync(tmpdir())}\n${join(realpathSync(tmpdir()), '..')}\n`);
  });

  it('[AS1] gets its arguments from the shell', async () => {
    const words = ['-euo', 'pipefail', '-c', 'echo "$0 $1 $-"', 'zero', 'one'];
    const { stdout } = await line.outcome(['shell', ...words]);
    expect(stdout.toString()).toMatch(/^zero one .*e.*u/);
  });

  it('[AS2] gets no variables of the agent beyond the necessary and the named ones', async () => {
    const env = { API_KEY: 'secret', NAMED: 'yes', NO_COLOR: '1' };
    const flags = ['--env', 'NAMED', '--env', 'SET=a=b', '--env', 'NO_COLOR=2'];
    const { stdout } = await line.outcome(
      ['shell', ...flags, '-c', 'echo "$API_KEY|$NAMED|$SET|$NO_COLOR"'],
      { env },
    );
    expect(stdout.toString()).toBe('|yes|a=b|2\n');
  });
});

describe('a signal to the shell', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
    '[AS3] [PR14] reaches the script, and also kills the shell: %s',
    async (signal) => {
      // Bash ignores SIGQUIT, so `exec` replaces it with a program, which prints a line when it is ready.
      const child = line.spawn(['shell', '-c', `exec perl -e '$| = 1; print "ready\\n"; sleep 1000'`]);
      await untilPrinted(child.stdout, 'ready');
      child.kill(signal);
      expect(await endOf(child)).toEqual([null, signal]);
    },
  );

  it('[AS3] is not needed to end the script of an agent that has exited', async () => {
    const pidFile = join(folder, 'orphan');
    const words = line.argv(['shell', '-c', `echo $$ > ${pidFile}; exec sleep 1000`]);
    // An agent that starts a shell for each command, and leaves its commands behind.
    const agent = spawn(
      process.execPath,
      [
        '-e',
        `child_process.spawn('/bin/sh', ['-c', '"$@"; true', 'sh', ...${JSON.stringify(words)}], { detached: true })`,
      ],
      { env: line.env, stdio: 'ignore' },
    );
    const pid = await vi.waitFor(() => {
      const found = Number(readFileSync(pidFile, 'utf8'));
      if (found <= 0) throw new Error('it has not started');
      return found;
    }, 30_000);
    agent.kill('SIGKILL');
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 30_000);
  });

  it('[AS3] does not change the exit code of a script that handles it', async () => {
    const child = line.spawn(['shell', '-c', "trap 'exit 7' TERM; echo ready; while :; do sleep 0.1; done"]);
    await untilPrinted(child.stdout, 'ready');
    child.kill('SIGTERM');
    expect(await endOf(child)).toEqual([7, null]);
  });

  it('[AS3] [SE9] ends the script at once when it kills the shell at once', async () => {
    const child = line.spawn(['shell', '-c', 'echo ready; exec sleep 1001']);
    await untilPrinted(child.stdout, 'ready');
    child.kill('SIGKILL');
    await vi.waitFor(async () => expect((await processOf('sleep 1001'))?.state).toBe('closed'), 20_000);
  });
});

describe('a background job', () => {
  it('[AS4] does not hold up the shell, and continues to print to the same pipe', async () => {
    const fifo = join(folder, 'go');
    const child = line.spawn(['shell', '-c', `mkfifo ${fifo}; (read x < ${fifo}; echo late $x) & echo now`]);
    const { stdout } = child;
    if (!stdout) throw new Error('invariant violation: no pipe');
    const output = text(stdout);
    expect(await endOf(child)).toEqual([0, null]);
    writeFileSync(fifo, 'word\n');
    expect(await output).toBe('now\nlate word\n');
  });

  it('[AS4] keeps running, and the pipe of the shell ends, when its output is redirected', async () => {
    const [go, done] = [join(folder, 'goes'), join(folder, 'done')];
    const job = `(read x < ${go}; echo "$x" > ${done}) >/dev/null 2>&1 </dev/null &`;
    const { code, stdout } = await shell(`mkfifo ${go}; ${job} echo of its own`);
    expect([code, stdout.toString()]).toEqual([0, 'of its own\n']);
    await vi.waitFor(async () => expect((await processOf('of its own'))?.state).toBe('closed'), 20_000);
    writeFileSync(go, 'word\n');
    await vi.waitFor(() => expect(readFileSync(done, 'utf8')).toBe('word\n'), 20_000);
  });
});

describe('the real shell', () => {
  it('[AS5] reads a file, or stdin, itself', async () => {
    writeFileSync(join(folder, 'script'), 'echo file $1\n');
    const file = await line.outcome(['shell', join(folder, 'script'), 'x']);
    const stdin = await line.outcome(['shell', '-s', 'y'], { input: 'echo stdin $1\n' });
    expect([file.stdout.toString(), stdin.stdout.toString()]).toEqual(['file x\n', 'stdin y\n']);
    expect(await processOf('echo file')).toBeUndefined();
  });

  it('[AS5] runs commands that are started inside a process of the gateway', async () => {
    const { stdout } = await line.outcome(['shell', '--path', '--agent', 'nested']);
    const standIn = stdout.toString().trim();
    const inShell = await shell(`${standIn} -c 'echo in shell'`);
    const inRun = await line.outcome(['run', '--', standIn, '-c', 'echo in run']);
    expect([inShell.stdout.toString(), inRun.stdout.toString()]).toEqual(['in shell\n', 'in run\n']);
    expect((await line.processes()).filter(({ startedBy }) => startedBy === 'nested')).toEqual([]);
  });

  it('[CN1] runs the commands of an agent whose former connection was undone', async () => {
    await agentToken(line.stateDir, 'undone');
    await forgetAgentToken(line.stateDir, 'undone');
    const { stdout } = await line.outcome(['shell', '--path', '--agent', 'undone']);
    const child = spawn(stdout.toString().trim(), ['-c', 'echo again'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: line.env,
    });
    expect(await text(child.stdout)).toBe('again\n');
    expect((await line.processes()).filter(({ startedBy }) => startedBy === 'undone')).toHaveLength(1);
  });

  it.each(['..', '.', '...'])(
    '[AS5] has a stand-in within the folder for an agent that is called %s',
    async (name) => {
      const { stdout } = await line.outcome(['shell', '--path', '--agent', name]);
      expect(stdout.toString().trim()).toMatch(/\/shells\/(?:%2E)+\/\w+$/);
    },
  );

  it.each(['cli', 'a'.repeat(300), 'a\nb'])(
    '[AS5] has no stand-in for an agent with an invalid name: %j',
    async (name) => {
      const { code, stdout } = await line.outcome(['shell', '--path', '--agent', name]);
      expect([code, stdout.toString()]).toEqual([2, '']);
    },
  );

  it('[AS5] is hidden by the folder of stand-ins, which the script does not find', async () => {
    const { stdout } = await line.outcome(['shell', '--folder', '--agent', 'path']);
    const standIns = stdout.toString().trim();
    const [command, ...args] = ['bash', '-c', 'command -v bash; echo "$PATH"'];
    const PATH = `${standIns}:${line.env['PATH'] ?? ''}`;
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...line.env, PATH } });
    const output = await text(child.stdout);
    expect(output).not.toContain(standIns);
    expect((await line.processes()).filter(({ startedBy }) => startedBy === 'path')).toHaveLength(1);
  });

  it('[AS5] runs the hooks and servers of Claude Code, and the gateway runs its commands', async () => {
    const { stdout } = await line.outcome(['shell', '--prefix-path', '--agent', 'prefixed']);
    const prefix = stdout.toString().trim();
    const through = async (script: string): Promise<string> => {
      const child = spawn(prefix, [script], { stdio: ['ignore', 'pipe', 'inherit'], env: line.env });
      return text(child.stdout);
    };
    const cwdFile = join(folder, 'cwd');
    expect(await through('echo hook')).toBe('hook\n');
    expect(await through(`eval 'cd / && echo tool' < /dev/null && pwd -P >| ${cwdFile}`)).toBe('tool\n');
    expect(readFileSync(cwdFile, 'utf8')).toBe('/\n');
    const started = (await line.processes()).filter(({ startedBy }) => startedBy === 'prefixed');
    expect(started.map(({ label }) => label)).toEqual(['cd / && echo tool']);
  });
});

describe('without a gateway', () => {
  const away = (args: readonly string[], stateDir: string) =>
    line.outcome(['shell', '--state-dir', stateDir, ...args], { input: 'in\n' });

  it('[AS6] the real shell runs the script, and prints a note about it', async () => {
    const { code, stdout, stderr } = await away(['-c', 'cat; exit 5'], join(folder, 'no-state'));
    expect([code, stdout.toString()]).toEqual([5, 'in\n']);
    expect(stderr).toBe('exec-console: no gateway is running, so this command runs outside the console\n');
  });

  it('[AS6] nothing runs when that is forbidden, or when every command needs approval', async () => {
    const ran = join(folder, 'ran');
    const refused = await away(['--when-away', 'refuse', '-c', `touch ${ran}`], join(folder, 'no-state'));
    const strict = join(folder, 'strict');
    mkdirSync(strict, { mode: 0o700 });
    const stored = { policy: null, agents: {}, pauses: [], rules: {}, startedWith: 'always' };
    writeFileSync(join(strict, 'approvals.json'), JSON.stringify(stored), { mode: 0o600 });
    const always = await away(['-c', `touch ${ran}`], strict);
    expect([refused.code, always.code]).toEqual([126, 126]);
    expect(always.stderr).toContain('requires approval for every command');
    expect(existsSync(ran)).toBe(false);
  });

  it('[AS6] a stored policy of always still applies', async () => {
    const other = await CommandLine.start({ flags: ['--approvals', 'always'] });
    try {
      other.gateway.kill('SIGTERM');
      await once(other.gateway, 'exit');
      const { code } = await other.outcome(['shell', '-c', 'true']);
      expect(code).toBe(126);
    } finally {
      await other.stop();
    }
  });

  it('[AS6] nothing runs with a token that the gateway refuses', async () => {
    await line.outcome(['shell', '--agent', 'revoked', '-c', 'true']);
    rmSync(join(line.stateDir, 'agents/revoked.token'));
    writeFileSync(join(line.stateDir, 'agents/revoked.token'), 'not-a-token\n', { mode: 0o600 });
    const { code, stderr } = await line.outcome(['shell', '--agent', 'revoked', '-c', 'echo ran']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('revoked')]);
  });
});

describe('a decision', () => {
  it('[AS7] is reported on stderr, with exit code 126, when it declines', async () => {
    await line.outcome(['policy', 'set', 'always', '--agent', 'asked']);
    const child = line.spawn(['shell', '--agent', 'asked', '-c', 'echo never']);
    const stderr = text(child.stderr ?? process.stdin);
    const waiting = await vi.waitFor(async () => {
      const asked = (await line.approvals()).find(({ argv }) => argv.includes('echo never'));
      if (!asked) throw new Error('nothing waits');
      return asked.id;
    }, 30_000);
    const { stderr: printed } = await line.outcome(['decline', '--message', 'not on Fridays', waiting]);
    expect(printed).toBe('');
    expect(await endOf(child)).toEqual([126, null]);
    expect(await stderr).toContain('declined by cli: not on Fridays');
  });

  it('[AS7] is withdrawn when the shell is ended', async () => {
    const child = line.spawn(['shell', '--agent', 'asked', '-c', 'echo never again']);
    await vi.waitFor(async () => {
      expect(JSON.stringify(await line.approvals())).toContain('never again');
    }, 30_000);
    child.kill('SIGTERM');
    expect(await endOf(child)).toEqual([null, 'SIGTERM']);
    await vi.waitFor(async () => {
      expect(JSON.stringify(await line.approvals())).not.toContain('never again');
    }, 30_000);
  });
});
