// Programs on pipes that outlive their keeper are found by PID and start time, shown, and ended. Uses the
// built programs.
import { execFileSync } from 'node:child_process';
import { release } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProcessInfo, WatchResult } from '../../protocol/console.ts';
import { sharedMain, sharedProduct } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';
import type { TestClient } from '../testing/test-client.ts';

const PATH = process.env['PATH'] ?? '';

/** True when the kernel reports the exit code of a process that is not a child of the caller. */
const REPORTS_EXITS = ((): boolean => {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 15);
})();

const gateways: KeeperGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

async function started(): Promise<KeeperGateway> {
  const gateway = await KeeperGateway.start([], sharedMain());
  gateways.push(gateway);
  return gateway;
}

async function start(client: TestClient, processId: string, script: string, tty = false): Promise<string> {
  const { key } = await client.request('process/start', {
    processId,
    session: 'console',
    argv: ['perl', '-e', script],
    cwd: 'file:///tmp',
    env: { PATH },
    tty,
  });
  return String(key);
}

async function shown(client: TestClient, key: string): Promise<ProcessInfo | undefined> {
  const { processes } = (await client.request('console/watch', {})) as unknown as WatchResult;
  return processes.find((info) => info.key === key);
}

async function command(gateway: KeeperGateway, ...args: string[]): Promise<string> {
  const main = join(sharedProduct(), 'dist/server/main.js');
  const argv = [main, ...args, '--state-dir', gateway.stateDir];
  return execFileSync(process.execPath, argv, { encoding: 'utf8' });
}

describe('A process on pipes whose keeper is killed', () => {
  it('[KP18] [CO12] is shown as still running, even by the next gateway, and can be terminated', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const piped = await start(client, 'p', 'sleep 600');
    const terminal = await start(client, 'q', 'sleep 600', true);
    const { pid } = (await shown(client, piped)) ?? {};
    process.kill(gateway.keeperPid() ?? 0, 'SIGKILL');
    const alive = { state: 'lost', stillRunning: true, pid };
    await expect.poll(() => shown(client, piped)).toMatchObject(alive);
    await expect.poll(async () => (await shown(client, terminal))?.state).toBe('lost');
    await expect.poll(async () => (await shown(client, terminal))?.stillRunning).toBeUndefined();
    const restart = (key: string) => client.request('process/restart', { key, newProcessId: `${key} again` });
    await expect(restart(piped)).rejects.toMatchObject({
      message: expect.stringContaining('still running') as string,
    });
    expect(await restart(terminal)).toHaveProperty('key');
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    const later = await gateway.client();
    expect(await shown(later, piped)).toMatchObject(alive);
    expect(await shown(later, terminal)).not.toHaveProperty('stillRunning');
    expect(await command(gateway, 'ps', '--all')).toContain(`lost, still running: PID ${pid}`);
    await command(gateway, 'stop', piped);
    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
    await expect.poll(async () => (await shown(later, piped))?.stillRunning).toBeUndefined();
    expect(await shown(later, piped)).toMatchObject({ state: 'lost', acts: [{ how: 'terminate' }] });
  });

  it.runIf(REPORTS_EXITS)('[KP18] has its exit code where the kernel reports it', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const key = await start(client, 'p', 'sleep 3; exit 7');
    process.kill(gateway.keeperPid() ?? 0, 'SIGKILL');
    await expect.poll(() => shown(client, key)).toMatchObject({ state: 'lost', stillRunning: true });
    await expect.poll(async () => (await shown(client, key))?.exitCode, { timeout: 15_000 }).toBe(7);
    expect(await shown(client, key)).not.toHaveProperty('stillRunning');
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    expect(await shown(await gateway.client(), key)).toMatchObject({ state: 'lost', exitCode: 7 });
  });

  it('[KP18] ends when its gateway is stopped', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const key = await start(client, 'p', 'sleep 600');
    const { pid = 0 } = (await shown(client, key)) ?? {};
    process.kill(gateway.keeperPid() ?? 0, 'SIGKILL');
    await expect.poll(() => shown(client, key)).toMatchObject({ stillRunning: true });
    await gateway.end('SIGTERM');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
