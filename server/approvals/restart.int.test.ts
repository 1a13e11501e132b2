// A gateway that stops or is killed while requests wait and agents are paused: rules AP4, AP10 and AP11.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Tokens } from '../policy/tokens.ts';
import { sharedProduct } from '../testing/command-line.ts';
import { decide, errorOf, list, waits } from '../testing/gated-server.ts';
import { noKeeperLeft } from '../testing/left-keeper.ts';
import { TestClient } from '../testing/test-client.ts';

let folder: string;
let gateway: ChildProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-restart-'));
  mkdirSync(join(folder, 'state'), { mode: 0o700 });
});
afterEach(async () => {
  await end('SIGTERM');
  await noKeeperLeft(join(folder, 'state'));
  rmSync(folder, { recursive: true });
});

async function begin(flags: readonly string[]): Promise<string> {
  const main = join(sharedProduct(), 'dist/server/main.js');
  const args = [main, '--port', '0', '--state-dir', join(folder, 'state'), ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  gateway = child;
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { origin } = new URL(line.replace(/^ws/, 'http'));
  return origin.replace(/^http/, 'ws');
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!gateway || gateway.exitCode !== null || gateway.signalCode !== null) return;
  const gone = once(gateway, 'exit');
  gateway.kill(signal);
  await gone;
}

async function client(url: string, token: string): Promise<TestClient> {
  const connected = await TestClient.open(url, { token });
  await connected.initialize();
  return connected;
}

it.each(['SIGTERM', 'SIGKILL'] as const)(
  '[AP4][AP10][AP11] a gateway after %s never runs earlier requests, and keeps pauses and the stricter policy',
  async (signal) => {
    const tokens = new Tokens(join(folder, 'state'));
    const make = (name: string, role: 'agent' | 'operator'): string =>
      tokens.create({ name, role, ttlMs: null }).token;
    const [bot, other, ada] = [make('bot', 'agent'), make('other', 'agent'), make('Ada', 'operator')];
    const marked = (name: string): string => join(folder, name);

    const before = await begin(['--approvals', 'never']);
    const [agent, operator] = [await client(before, bot), await client(before, ada)];
    await operator.request('console/setPolicy', { policy: 'on-request' });
    await operator.request('console/setPolicy', { policy: 'always', agent: 'bot' });
    await operator.request('console/pause', { agent: 'other' });
    const started = errorOf(agent.start(['touch', marked('a')], { processId: 'p' }));
    const { id } = await waits(operator);
    await end(signal);
    // The agent's call has failed, so a late approval would run a command whose output is never read.
    expect(await started).not.toBeNull();

    const after = await begin(['--approvals', 'on-failure']);
    const [again, held, person] = [
      await client(after, bot),
      await client(after, other),
      await client(after, ada),
    ];
    expect(await list(person, { all: true })).toMatchObject({
      approvals: [],
      settings: {
        policy: 'on-failure',
        agents: [{ agent: 'bot', policy: 'always' }],
        pauses: [{ agent: 'other', why: 'paused', by: 'Ada' }],
      },
    });
    expect(await errorOf(decide(person, id, 'accept'))).toMatchObject({ code: -32020 });
    void errorOf(held.start(['true']));
    expect(await waits(person)).toMatchObject({ startedBy: 'other', reason: 'paused by Ada' });
    const restarted = again.start(['touch', marked('b')], { processId: 'p' });
    const asked = await waits(person, 2);
    expect(asked).toMatchObject({ startedBy: 'bot', reason: 'no rule allows it' });
    await decide(person, asked.id, 'accept');
    const { processId } = await restarted;
    await again.request('process/wait', { processId, waitMs: 10_000 });
    expect([existsSync(marked('a')), existsSync(marked('b'))]).toEqual([false, true]);
  },
);
