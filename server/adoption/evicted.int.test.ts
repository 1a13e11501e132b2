// Output that was printed and evicted while no gateway ran is counted by the next one. Uses the built programs.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fileUri } from '../../client/start-params.ts';
import type { ReadByKeyResult } from '../../protocol/console.ts';
import { sharedMain } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';
import type { TestClient } from '../testing/test-client.ts';

let gateway: KeeperGateway | null = null;
afterEach(async () => {
  await gateway?.stop();
  gateway = null;
});

/** Bytes printed without a gateway; the log on disk has at most 64 MiB. */
const PRINTED = 80 * 1024 * 1024;

/** Resolves with the number of bytes read after `afterSeq`, and the number of bytes reported as missed. */
async function readAfter(client: TestClient, key: string, afterSeq: number): Promise<[number, number]> {
  let [read, missed] = [0, 0];
  for (let after = afterSeq; ;) {
    const params = { key, afterSeq: after, maxBytes: 1024 * 1024 };
    const page = await client.request<ReadByKeyResult>('process/read', params);
    missed += page.missedBytes;
    for (const { chunk } of page.chunks) read += Buffer.from(chunk, 'base64').length;
    if (page.nextSeq - 1 === after) return [read, missed];
    after = page.nextSeq - 1;
  }
}

it('[KP19][RD4][DE7] output that was evicted without a gateway is counted exactly, for every reader and the next gateway', async () => {
  gateway = await KeeperGateway.start([], sharedMain());
  const client = await gateway.client();
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-test-'));
  const script =
    `echo first; until [ -e go ]; do sleep 0.05; done; echo second; ` +
    `until [ -e on ]; do sleep 0.05; done; head -c ${PRINTED} /dev/zero; touch done`;
  const argv = ['sh', '-c', script];
  const { key } = await client.start(argv, { session: 'console', cwd: fileUri(folder) });
  const readTo = async (text: string): Promise<number> => {
    let [seq, all] = [0, ''];
    while (!all.includes(text)) {
      const params = { key, afterSeq: seq, waitMs: 10_000 };
      const page = await client.request<ReadByKeyResult>('process/read', params);
      all += page.chunks.map(({ chunk }) => Buffer.from(chunk, 'base64').toString()).join('');
      seq = page.nextSeq - 1;
    }
    return seq;
  };
  const first = await readTo('first\n');
  writeFileSync(join(folder, 'go'), '');
  const last = await readTo('second\n');
  await gateway.end('SIGKILL');
  writeFileSync(join(folder, 'on'), '');
  await expect.poll(() => existsSync(join(folder, 'done')), { timeout: 60_000 }).toBe(true);
  for (const time of ['next', 'second next']) {
    await gateway.startAgain();
    const next = await gateway.client();
    await next.request('process/wait', { key, until: 'closed', waitMs: 60_000 });
    const [read, missed] = await readAfter(next, key, last);
    expect([missed > 0, read + missed], time).toEqual([true, PRINTED]);
    const all = await readAfter(next, key, first);
    expect(all[0] + all[1], time).toBe(PRINTED + 'second\n'.length);
    await next.request('process/attach', { key, afterSeq: last });
    const { params: gap } = await next.waitEvent(key, 'process/gap');
    expect(gap, time).toMatchObject({ afterSeq: last });
    const { params: output } = await next.waitEvent(key, 'process/output');
    expect(output?.['seq'], time).toBe(gap?.['nextSeq']);
    if (time === 'next') await gateway.end('SIGKILL');
  }
});
