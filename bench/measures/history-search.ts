// Measures searches through all recordings, by kind of text: time until the first page, time of the whole search, and
// time of the slowest page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildLog } from '../rig/build-log.ts';
import { Client } from '../rig/client.ts';
import type { Figures, Measure } from '../rig/measure.ts';
import { percentile } from '../rig/statistics.ts';

/** Output per process, below the default size limit of a recording. */
const PROCESS_BYTES = 240 * 2 ** 20;
/** Number of searches of each kind that uses an index; searches without an index are slow, so each kind is run once. */
const SEARCHES = 20;
/**
 * Time limit for the indexing, which a busy machine may not finish; the reported share then shows that the
 * figures are partly those of a search without an index.
 */
const INDEX_MS = 900_000;
const LIMIT_MS = 3_600_000;

interface Query {
  readonly query: string;
  readonly regex?: boolean;
}

interface Page {
  readonly hits: readonly { readonly text: string }[];
  readonly before: string | null;
}

export const historySearch: Measure = {
  name: 'history-search',
  about: 'search through recordings of --gigabytes (2): first answer, end and longest page, by kind of text',
  servers: 'console',
  limitMs: LIMIT_MS,
  async run(subject, { gigabytes }) {
    const client = await Client.open(subject);
    const count = Math.max(1, Math.round((gigabytes * 2 ** 30) / PROCESS_BYTES));
    for (let seed = 1; seed <= count; seed += 1) {
      const { closed } = await client.start(buildLog(PROCESS_BYTES, seed), { tty: true });
      await closed;
    }
    const share = await indexed(recordingsOf(subject.pid));
    const hashes = await textsOf(client, { query: 'sha1:' }, /sha1:(\w{40})/);
    const rare = await textsOf(client, { query: 'ECONNREFUSED' }, /(rare\w+)/);
    const figures = {
      'recorded, GiB': (count * PROCESS_BYTES) / 2 ** 30,
      'indexed, %': share * 100,
      ...(await timesOf(
        client,
        'absent',
        numbered((at) => ({ query: `absent qz${at}x` })),
      )),
      ...(await timesOf(
        client,
        'rare word',
        numbered((at) => ({ query: rare[at] ?? 'rare1x1000' })),
      )),
      ...(await timesOf(
        client,
        'hash',
        numbered((at) => ({ query: hashes[at] ?? 'no hash' })),
      )),
      ...(await timesOf(
        client,
        'frequent word, a page',
        numbered(() => ({ query: 'timeout of' })),
        1,
      )),
      ...(await timesOf(
        client,
        'expression with a literal',
        numbered((at) => ({ query: `qzx\\d+${at}`, regex: true })),
      )),
      ...(await timesOf(client, 'two characters', [{ query: 'q~' }])),
      ...(await timesOf(client, 'expression without a literal', [{ query: '(qz|zq)[0-9]~', regex: true }])),
    };
    const admin = await Client.open({ ...subject, token: adminTokenOf(subject.pid) });
    const observerToken = { name: 'bench-observer', role: 'observer', ttlMs: null };
    const { token } = await admin.request<{ token: string }>('console/createToken', observerToken);
    admin.close();
    const observer = await Client.open({ ...subject, token });
    const observed = {
      ...(await timesOf(
        observer,
        'absent, observer',
        numbered((at) => ({ query: `absent qz${at}x` })),
      )),
      ...(await timesOf(
        observer,
        'rare word, observer',
        numbered((at) => ({ query: rare[at] ?? 'rare1x1000' })),
      )),
      ...(await timesOf(
        observer,
        'frequent word, a page, observer',
        numbered(() => ({ query: 'timeout of' })),
        1,
      )),
    };
    observer.close();
    client.close();
    return { ...figures, ...observed };
  },
};

const numbered = (query: (at: number) => Query): readonly Query[] =>
  Array.from({ length: SEARCHES }, (_, at) => query(at));

const recordingsOf = (pid: number): string => join(stateDirOf(pid), 'rec');
const adminTokenOf = (pid: number): string => readFileSync(join(stateDirOf(pid), 'cli-token'), 'utf8').trim();

function stateDirOf(pid: number): string {
  const flags = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const stateDir = flags.find((flag) => flag.startsWith('--state-dir='))?.slice('--state-dir='.length);
  if (stateDir === undefined) throw new Error('the gateway has no state folder of its own');
  return stateDir;
}

/** Waits until all segments have an index or the time limit has passed; resolves with the share that has one. */
async function indexed(root: string): Promise<number> {
  const untilMs = performance.now() + INDEX_MS;
  for (;;) {
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const countOf = (end: string): number => names.filter((name) => name.endsWith(end)).length;
    const share = countOf('.xci') / countOf('.xcr');
    if (share >= 1 || performance.now() >= untilMs) return share;
    await sleep(1000);
  }
}

/**
 * Resolves with the first group of `part` in each line on the first page of hits; lines without a match are
 * left out.
 */
async function textsOf(client: Client, query: Query, part: RegExp): Promise<readonly string[]> {
  const { hits } = await client.request<Page>('console/historySearch', query);
  return hits.flatMap(({ text }) => part.exec(text)?.[1] ?? []);
}

/** Runs each query to its end or for at most `mostPages` pages; resolves with the figures of their durations. */
async function timesOf(
  client: Client,
  name: string,
  queries: readonly Query[],
  mostPages = Number.POSITIVE_INFINITY,
): Promise<Figures> {
  const [first, all, longest]: [number[], number[], number[]] = [[], [], []];
  for (const query of queries) {
    const pages: number[] = [];
    const beganMs = performance.now();
    let before: string | null = null;
    do {
      const askedMs = performance.now();
      const page: Page = await client.request('console/historySearch', {
        ...query,
        ...(before !== null && { before }),
      });
      pages.push(performance.now() - askedMs);
      ({ before } = page);
    } while (before !== null && pages.length < mostPages);
    first.push(pages[0] ?? Number.NaN);
    all.push(performance.now() - beganMs);
    longest.push(Math.max(...pages));
  }
  return {
    [`${name}: first answer, p95, ms`]: percentile(first, 0.95),
    [`${name}: all of it, p50, ms`]: percentile(all, 0.5),
    [`${name}: all of it, p95, ms`]: percentile(all, 0.95),
    [`${name}: longest page, ms`]: Math.max(...longest),
  };
}
