// Output that was printed while no gateway ran precedes the exit after it. Uses the built programs.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fileUri } from '../../client/start-params.ts';
import type { ReadResult } from '../../protocol/process.ts';
import { askKeeper } from '../keeper/link/ask-keeper.ts';
import { sharedMain } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';

let gateway: KeeperGateway | null = null;
afterEach(async () => {
  await gateway?.stop();
  gateway = null;
});

it('[EL9][KP1] output that is printed without a gateway has its place before or after the exit', async () => {
  gateway = await KeeperGateway.start([], sharedMain());
  const client = await gateway.client();
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-test-'));
  // The program leaves another one behind, which holds the output open and prints after the exit.
  const script =
    `echo first; until [ -e go ]; do sleep 0.05; done; echo before; ` +
    `(until [ -e on ]; do sleep 0.05; done; echo after; touch done) & exit 3`;
  const { processId } = await client.start(['sh', '-c', script], { cwd: fileUri(folder) });
  await client.waitEvent(processId, 'process/output');
  await gateway.end('SIGKILL');
  writeFileSync(join(folder, 'go'), '');
  const hasExited = async (): Promise<boolean | undefined> =>
    (await askKeeper(gateway?.stateDir ?? ''))?.processes[0]?.hasExited;
  await expect.poll(hasExited, { timeout: 30_000 }).toBe(true);
  writeFileSync(join(folder, 'on'), '');
  await expect.poll(() => existsSync(join(folder, 'done')), { timeout: 30_000 }).toBe(true);
  await gateway.startAgain();
  const next = await gateway.client(client.sessionId);
  await next.request('process/read', { processId, afterSeq: 3, waitMs: 60_000 });
  const { chunks } = await next.request<ReadResult>('process/read', { processId, afterSeq: 0 });
  const shown = chunks.map(({ seq, chunk }) => [seq, Buffer.from(chunk, 'base64').toString()]);
  expect(shown).toEqual([
    [1, 'first\n'],
    [2, 'before\n'],
    [4, 'after\n'],
  ]);
});
