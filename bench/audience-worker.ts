// Those who watch one process for a measure, a third of them never reading.
import { Client } from './client.ts';
import type { Followed } from './followed.ts';
import type { Subject } from './measure.ts';

/** Every so many-th never reads. */
const STALLED_EVERY = 3;

export interface AudienceJob {
  readonly subject: Subject;
  /** Of what they watch. */
  readonly key: string;
  readonly count: number;
}

/** What one who reads was told of the process. */
export type Told = Pick<Followed, 'offset' | 'bytes' | 'gapBytes' | 'accounted'>;

async function watch({ subject, key, count }: AudienceJob): Promise<void> {
  const all = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const client = await Client.open(subject);
      const followed = await client.attach(key);
      const reads = index % STALLED_EVERY !== 0;
      if (!reads) client.pause();
      return { followed, reads };
    }),
  );
  process.send?.('watching');
  const reading = all.filter(({ reads }) => reads).map(({ followed }) => followed);
  await Promise.all(reading.map(({ closed }) => closed));
  process.send?.(
    reading.map(({ offset, bytes, gapBytes, accounted }): Told => ({ offset, bytes, gapBytes, accounted })),
  );
}

process.once('message', (job: AudienceJob) => void watch(job));
// The measure is over, or was interrupted.
process.once('disconnect', () => process.exit(0));
