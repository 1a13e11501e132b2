// Checks recordings after faults: those of ended processes are whole, and that of a process whose keeper and gateway
// were killed together has everything that a client had received.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../client/testing/dice.ts';
import type { ReadByKeyResult, StartResult } from '../../protocol/console.ts';
import type { HistoryResult } from '../../protocol/history.ts';
import type { KeeperGateway } from '../../server/testing/keeper-gateway.ts';
import { numberedLines, type Reported } from '../../server/testing/numbered-flood.ts';
import { recordedOutput } from '../../server/testing/recorded-output.ts';
import type { TestClient } from '../../server/testing/test-client.ts';

/** Maximum time from the start of a flood until the keeper and the gateway are killed. */
const FLOOD_MS = 1500;

/** Throws unless each of these processes has one recording with exactly the output that its client received. */
export async function judgeRecordings(gateway: KeeperGateway, received: readonly Reported[]): Promise<void> {
  const client = await gateway.client();
  const keys = await keysOf(client);
  const recorded: string[] = [];
  const lengths: number[] = [];
  for (const key of keys) {
    const { text, missed } = await recordedOutput(client, key);
    if (missed > 0) throw new Error(`recording: ${missed} bytes of ${text.length + missed} are missing`);
    lengths.push(text.length);
    recorded.push(createHash('sha256').update(text, 'latin1').digest('hex'));
  }
  for (const { sha, bytes } of received) {
    const count = recorded.filter((each) => each === sha).length;
    if (count !== 1)
      throw new Error(
        `recording: ${count} instead of one have these ${bytes} bytes; recorded: ${lengths.join(', ')} bytes`,
      );
  }
}

/** Kills the keeper and the gateway during a flood; throws if the recording lacks or changes what was received. */
export async function killBoth(gateway: KeeperGateway, flood: readonly string[], dice: Dice): Promise<void> {
  const client = await gateway.client();
  const start = { processId: 'both killed', argv: flood, cwd: 'file:///tmp', tty: false, session: 'console' };
  const env = { PATH: process.env['PATH'] ?? '' };
  const { key } = await client.request<StartResult>('process/start', { ...start, env });
  const untilMs = performance.now() + dice.pick(1, FLOOD_MS);
  let received = 0;
  for (let afterSeq = 0; performance.now() < untilMs;) {
    const page = await client.request<ReadByKeyResult>('process/read', { key, afterSeq, waitMs: 50 });
    for (const { chunk } of page.chunks) received += Buffer.from(chunk, 'base64').length;
    afterSeq = page.nextSeq - 1;
  }
  process.kill(gateway.keeperPid() ?? 0, 'SIGKILL');
  await sleep(dice.pick(0, 20));
  await gateway.end('SIGKILL');
  await gateway.startAgain();
  const { text } = await recordedOutput(await gateway.client(), key);
  if (text.length < received) throw new Error(`recording: ${text.length} of ${received} received bytes`);
  if (text !== numberedLines(text.length)) throw new Error(`recording: not ${text.length} bytes in order`);
}

async function keysOf(client: TestClient): Promise<readonly string[]> {
  const { processes } = await client.request<HistoryResult>('console/history', {});
  return processes.map(({ key }) => key);
}
