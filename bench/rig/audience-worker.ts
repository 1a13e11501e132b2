// Watchers of one process, a third of which do not read while attached; they attach and detach on request.
import { Client } from './client.ts';
import type { Followed } from './followed.ts';
import type { Subject } from './measure.ts';

const STALLED_EVERY = 3;

export interface AudienceJob {
  readonly subject: Subject;
  readonly key: string;
  readonly count: number;
}

export type Reported =
  'opened' | 'watching' | 'left' | { readonly bytes: number } | { readonly ended: readonly Seen[] };

/** Totals of one reading watcher. */
export type Seen = Pick<Followed, 'offset' | 'bytes' | 'gapBytes' | 'accounted'>;

class Watchers {
  readonly #reading: Client[] = [];
  readonly #stalled: Client[] = [];
  readonly #key: string;
  #followed: Followed[] = [];

  private constructor(key: string) {
    this.#key = key;
  }

  static async open({ subject, key, count }: AudienceJob): Promise<Watchers> {
    const watchers = new Watchers(key);
    const clients = await Promise.all(Array.from({ length: count }, () => Client.open(subject)));
    for (const [index, client] of clients.entries())
      (index % STALLED_EVERY === 0 ? watchers.#stalled : watchers.#reading).push(client);
    return watchers;
  }

  async watch(): Promise<void> {
    const key = this.#key;
    this.#followed = await Promise.all(this.#reading.map((client) => client.attach(key)));
    await Promise.all(
      this.#stalled.map(async (client) => {
        await client.attach(key);
        client.pause();
      }),
    );
  }

  async leave(): Promise<void> {
    for (const client of this.#stalled) client.resume();
    const key = this.#key;
    await Promise.all(
      [...this.#reading, ...this.#stalled].map((client) => client.request('process/detach', { key })),
    );
  }

  get bytes(): number {
    return this.#followed.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async ended(): Promise<readonly Seen[]> {
    await Promise.all(this.#followed.map(({ closed }) => closed));
    return this.#followed.map(({ offset, bytes, gapBytes, accounted }) => ({
      offset,
      bytes,
      gapBytes,
      accounted,
    }));
  }
}

export type Asked = AudienceJob | 'watch' | 'leave' | 'bytes' | 'end';

let watchers: Watchers;

async function answer(asked: Asked): Promise<Reported> {
  switch (asked) {
    case 'watch':
      await watchers.watch();
      return 'watching';
    case 'leave':
      await watchers.leave();
      return 'left';
    case 'bytes':
      return { bytes: watchers.bytes };
    case 'end':
      return { ended: await watchers.ended() };
    default:
      watchers = await Watchers.open(asked);
      return 'opened';
  }
}

process.on('message', (asked: Asked) => void answer(asked).then((reported) => process.send?.(reported)));
// The process ends with its parent, which has finished the measure or was interrupted.
process.once('disconnect', () => process.exit(0));
