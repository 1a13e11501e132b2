// Measures reconnecting after a cut: the session is resumed, and the output printed meanwhile is read to its end.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../rig/client.ts';
import type { Measure, Subject } from '../rig/measure.ts';
import { median } from '../rig/statistics.ts';

const TIMES = 10;
/** Number of bytes printed: twice what a server retains. */
const PRINTED_BYTES = 2 * 1024 * 1024;
/**
 * Delay until the output starts, by which time the client has disconnected; and time away, long enough for all
 * output to be printed.
 */
const GONE_SECONDS = 0.3;
const AWAY_MS = 1200;

export const resume: Measure = {
  name: 'resume',
  about: 'a session is resumed, and the retained MiB of what was printed meanwhile is read',
  servers: 'all',
  async run(subject) {
    const tookMs: number[] = [];
    let readBytes = 0;
    for (let time = 0; time < TIMES; time += 1) {
      const { ms, bytes } = await comeBack(subject);
      tookMs.push(ms);
      readBytes = bytes;
    }
    const perMiB = (median(tookMs) * 1024 * 1024) / readBytes;
    return { 'caught up, ms': median(tookMs), 'per MiB, ms': perMiB, 'read, bytes': readBytes };
  },
};

interface Page {
  readonly chunks: readonly { readonly seq: number; readonly chunk: string }[];
}

async function comeBack(subject: Subject): Promise<{ ms: number; bytes: number }> {
  const before = await Client.open(subject);
  const script = `sleep ${GONE_SECONDS}; head -c ${PRINTED_BYTES} /dev/zero; exec sleep 60`;
  const { address } = await before.start(['sh', '-c', script]);
  before.close();
  await sleep(AWAY_MS);
  const beganAtMs = performance.now();
  const client = await Client.open(subject, before.sessionId);
  let [bytes, afterSeq] = [0, 0];
  for (;;) {
    const { chunks } = await client.request<Page>('process/read', { ...address, afterSeq, waitMs: 0 });
    for (const { seq, chunk } of chunks) {
      bytes += Buffer.from(chunk, 'base64').length;
      afterSeq = seq;
    }
    if (chunks.length === 0) break;
  }
  const ms = performance.now() - beganAtMs;
  await client.request('process/terminate', address);
  client.close();
  return { ms, bytes };
}
