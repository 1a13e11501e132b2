// Reads the whole recorded output of a process.
import type { ReadByKeyResult } from '../../protocol/console.ts';
import type { TestClient } from './test-client.ts';

export interface RecordedOutput {
  /** Everything recorded, as one character per byte. */
  readonly text: string;
  /** Number of bytes that were not recorded. */
  readonly missed: number;
}

export async function recordedOutput(client: TestClient, key: string): Promise<RecordedOutput> {
  const pieces: Buffer[] = [];
  let missed = 0;
  for (let afterSeq = 0; ;) {
    const params = { key, afterSeq, recorded: true };
    const page = await client.request<ReadByKeyResult>('process/read', params);
    missed += page.missedBytes;
    pieces.push(...page.chunks.map(({ chunk }) => Buffer.from(chunk, 'base64')));
    if (page.nextSeq - 1 === afterSeq) return { text: Buffer.concat(pieces).toString('latin1'), missed };
    afterSeq = page.nextSeq - 1;
  }
}
