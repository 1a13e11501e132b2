// Tests of the limits on all recordings together, with real processes and a real disk.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchResult } from '../../protocol/console.ts';
import { list, run } from '../testing/past-runs.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

const recordings = (): string => join(server.stateDir, 'rec');

describe('Retention', () => {
  it('[HS12] removes the oldest finished recordings beyond the size of all', async () => {
    server = await TestServer.start({ recordBytes: 3 * 1024 * 1024 });
    const agent = await server.client('agent');
    const keys: string[] = [];
    const operator = await server.client('operator');
    for (let at = 0; at < 5; at += 1) {
      keys.push(await run(agent, 'head -c 1000000 /dev/zero'));
      await expect.poll(() => existsSync(join(recordings(), 'open', keys.at(-1) ?? ''))).toBe(false);
    }
    await expect.poll(async () => (await list(operator)).length).toBeLessThan(4);
    const left = (await list(operator)).map(({ key }) => key);
    // Two recordings may remain instead of three, since one in progress also counted towards the limit when others
    // were removed.
    expect(left.length).toBeGreaterThan(1);
    expect(left).toEqual(keys.slice(-left.length).toReversed());
  });

  it('[HS12] retains no recording that is older than a removed one, however small it is', async () => {
    server = await TestServer.start({ recordBytes: 3 * 1024 * 1024 });
    const agent = await server.client('agent');
    const keys: string[] = [];
    for (const bytes of [1000, 2_000_000, 1_500_000]) {
      keys.push(await run(agent, `head -c ${bytes} /dev/zero`));
      await expect.poll(() => existsSync(join(recordings(), 'open', keys.at(-1) ?? ''))).toBe(false);
    }
    const operator = await server.client('operator');
    await expect.poll(async () => (await list(operator)).map(({ key }) => key)).toEqual(keys.slice(2));
  });

  it('[HS13] reports a full disk, and records again when there is room', async () => {
    server = await TestServer.start({
      recordFreeBytes: Number.MAX_SAFE_INTEGER,
      recordFreeShare: 1,
      recordLookMs: 20,
    });
    const operator = await server.client('operator');
    const gateway = async () => (await operator.request<WatchResult>('console/watch', {})).gateway;
    await expect
      .poll(async () => (await gateway()).reasons)
      .toEqual([expect.stringContaining('not recorded')]);
    const key = await run(await server.client('agent'), 'echo unseen');
    expect(await operator.request('process/read', { key })).toMatchObject({
      closed: true,
      chunks: [{ seq: 1 }],
    });
  });
});
