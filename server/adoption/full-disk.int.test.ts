// Tests of a keeper with a full disk: it pauses processes, reports that, and resumes them when there is space.
// Uses the built programs.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchResult } from '../../protocol/console.ts';
import { runFolder } from '../keeper/wire/place.ts';
import { sharedMain } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';
import { limitFiles } from '../testing/limit-files.ts';
import type { TestClient } from '../testing/test-client.ts';

const PATH = process.env['PATH'] ?? '';
const LINES = 20_000;
const printed = Array.from({ length: LINES }, (_, line) => `${line} ${'x'.repeat(20)}\n`).join('');
const flood = `$| = 1; for (0..${LINES - 1}) { print "$_ ", "x" x 20, "\\n"; select undef, undef, undef, 0.01 if $_ % 100 == 0 } exit 4`;

const gateways: KeeperGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

const reason = async (client: TestClient): Promise<string> => {
  const { gateway } = await client.request('console/watch', {});
  return JSON.stringify(gateway);
};

describe('A keeper whose disk is full', () => {
  it('[KP20] holds processes back, reports it to the next gateway as well, and loses nothing', async () => {
    const gateway = await KeeperGateway.start([], sharedMain());
    gateways.push(gateway);
    limitFiles(100_000, gateway.keeperPid() ?? 0);
    const client = await gateway.resumingClient();
    const flooding = await client.start({ argv: ['perl', '-e', flood], cwd: '/tmp', env: { PATH } });
    const hash = createHash('sha256');
    let exitCode: number | null = null;
    const story = (async () => {
      for await (const event of flooding.events()) {
        if (event.kind === 'output') hash.update(event.bytes);
        if (event.kind === 'exited') exitCode = event.exitCode;
      }
    })();
    const looker = await gateway.client();
    await expect.poll(() => reason(looker), { timeout: 15_000 }).toContain('cannot be written to the disk');
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    const later = await gateway.client();
    await expect.poll(() => reason(later)).toContain('cannot be written to the disk');
    limitFiles('unlimited', gateway.keeperPid() ?? 0);
    await story;
    expect(hash.digest('hex')).toBe(createHash('sha256').update(printed).digest('hex'));
    expect(exitCode).toBe(4);
    await expect.poll(() => reason(later)).not.toContain('cannot be written to the disk');
    client.close();
  });

  it('[KP10] [HE1] notes a session once the disk has room, reports nothing from then on, and loses no process', async () => {
    const gateway = await KeeperGateway.start([], sharedMain());
    gateways.push(gateway);
    const looker = await gateway.client();
    limitFiles(1, gateway.process.pid ?? 0);
    const client = await gateway.client();
    await expect.poll(() => reason(looker)).toContain('state for the next gateway cannot be written');
    limitFiles('unlimited', gateway.process.pid ?? 0);
    await expect.poll(() => reason(looker), { timeout: 15_000 }).not.toContain('state for the next gateway');
    const { key } = await client.start(['sleep', '1000']);
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    const later = await gateway.client();
    const { processes } = await later.request<WatchResult>('console/watch', {});
    expect(processes.find((each) => each.key === key)).toMatchObject({ state: 'running' });
  });

  it.each(['keeper', 'gateway'] as const)(
    '[KP20] refuses a start with the reason when the %s cannot write, and leaves nothing of it',
    async (program) => {
      const gateway = await KeeperGateway.start([], sharedMain());
      gateways.push(gateway);
      const client = await gateway.client();
      const pid = (program === 'keeper' ? gateway.keeperPid() : gateway.process.pid) ?? 0;
      limitFiles(1, pid);
      await expect(client.start(['true'])).rejects.toThrow(
        /^cannot start the process: .* (cannot be written|is not writable): .*full/,
      );
      limitFiles('unlimited', pid);
      const { key } = await client.start(['true'], { session: 'console' });
      expect(processesIn(runFolder(gateway.stateDir))).toEqual([key]);
    },
  );

  it.each(['keeper', 'gateway'] as const)(
    '[KP27] does not prevent starts with --keeper auto: they run in the gateway while the %s cannot write',
    async (program) => {
      const gateway = await KeeperGateway.start([], sharedMain());
      gateways.push(gateway);
      await gateway.end('SIGTERM');
      await gateway.startAgain('auto');
      const client = await gateway.client();
      const pid = (program === 'keeper' ? gateway.keeperPid() : gateway.process.pid) ?? 0;
      limitFiles(1, pid);
      const { processId } = await client.start(['sh', '-c', 'echo $PPID']);
      await client.waitOutput(processId, `${gateway.process.pid}\n`);
      expect(await reason(client)).toContain('run in the gateway and end with it');
      limitFiles('unlimited', pid);
      const held = await client.start(['sh', '-c', 'echo $PPID']);
      await client.waitOutput(held.processId, `${gateway.keeperPid()}\n`);
      expect(await reason(client)).not.toContain('run in the gateway and end with it');
    },
  );
});

const processesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name);
