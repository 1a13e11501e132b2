// Output that an owner had not read when its gateway was killed is read from the next one. Uses the built programs.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fileUri } from '../../client/start-params.ts';
import type { WatchResult } from '../../protocol/console.ts';
import type { OutputChunk, ReadResult } from '../../protocol/process.ts';
import { sharedMain } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';

const gateways: KeeperGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

const shown = ({ seq, chunk }: OutputChunk): string => `${seq} ${chunk}`;

it.each([
  ['pipes', false, 400_000],
  // The log has two segments, and each begins with the size of the terminal.
  ['a terminal', true, 800_000],
])(
  '[KP1][KP3] the output of a process on %s is complete for its owner, with the same seqs, even after its end',
  async (_, tty, lines) => {
    const gateway = await KeeperGateway.start([], sharedMain());
    gateways.push(gateway);
    const client = await gateway.client();
    const argv = ['sh', '-c', `${tty ? 'stty raw; ' : ''}seq 1 ${lines}`];
    const { processId } = await client.start(argv, { tty });
    await client.waitEvent(processId, 'process/closed');
    const pushed = client.events(processId).filter(({ method }) => method === 'process/output');
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    const next = await gateway.client(client.sessionId);
    const { chunks, closed } = await next.request<ReadResult>('process/read', { processId, afterSeq: 0 });
    expect(closed).toBe(true);
    expect(chunks.map(({ seq }) => seq)).toEqual(pushed.map(({ params }) => params?.['seq']));
    expect(chunks.map(shown)).toEqual(pushed.map(({ params }) => shown(params as unknown as OutputChunk)));
  },
);

it('[KP1] a client that loses its connection before it has caught up still gets all of its unread output', async () => {
  const gateway = await KeeperGateway.start([], sharedMain());
  gateways.push(gateway);
  const client = await gateway.client();
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-test-'));
  const lines = 900_000;
  const script = `echo first; until [ -e go ]; do sleep 0.05; done; seq ${lines}; touch done; sleep 600`;
  const { processId } = await client.start(['sh', '-c', script], { cwd: fileUri(folder) });
  await client.waitEvent(processId, 'process/output');
  await gateway.end('SIGKILL');
  writeFileSync(join(folder, 'go'), '');
  // 6 MB are printed without a gateway, six times what the log of the next one usually retains.
  await expect.poll(() => existsSync(join(folder, 'done')), { timeout: 60_000 }).toBe(true);
  await gateway.startAgain();
  const hasty = await gateway.client(client.sessionId);
  await hasty.cut();
  const watcher = await gateway.client();
  const isDetached = async (): Promise<boolean> => {
    const { sessions } = await watcher.request<WatchResult>('console/watch', {});
    return sessions.some(({ attached }) => !attached);
  };
  await expect.poll(isDetached).toBe(true);
  const next = await gateway.client(client.sessionId);
  const { chunks } = await next.request<ReadResult>('process/read', { processId, afterSeq: 1 });
  expect(chunks[0]?.seq).toBe(2);
});
