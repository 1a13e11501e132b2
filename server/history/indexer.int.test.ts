// Tests of indexes of a gateway's own recordings and of those of earlier gateways.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Replacing } from '../record/replacing.ts';
import { formOf } from '../record/segment-content.ts';
import { finishedIn, run, searched } from '../testing/past-runs.ts';
import { TestServer } from '../testing/test-server.ts';
import { Indexer } from './indexer.ts';
import { readIndex } from './segment-index.ts';
import { LEAST_BYTES } from './unfinished.ts';

let server: TestServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const LINES = 100_000;
const COUNTED = `seq -f 'line %.0f of the log' ${LINES}`;

const filesIn = (root: string, end: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));

describe('Indexes of recordings', () => {
  it('[HS17] are created for finished segments, and at the start of a gateway where they are missing or old', async () => {
    server = await TestServer.start({
      recordSegmentBytes: 256 * 1024,
      recordIndexMs: 10,
      recordIndexLoad: Number.POSITIVE_INFINITY,
    });
    const root = join(server.stateDir, 'rec');
    const key = await run(await server.client('agent'), COUNTED);
    const operator = await server.client('operator');
    await finishedIn(root, operator, key);
    const indexed = (): string[] => filesIn(root, '.xci').map((name) => name.replace(/xci$/, 'xcr'));
    // The last segment may be small, depending on where the others ended.
    const isLarge = (name: string): boolean => formOf(join(root, name)).plainBytes >= LEAST_BYTES;
    const segments = filesIn(root, '.xcr').filter(isLarge).toSorted();
    expect(segments.length).toBeGreaterThan(5);
    const expectFound = async (client: typeof operator): Promise<void> => {
      for (const line of [1, 54_321, LINES])
        expect(await searched(client, { query: `line ${line} of` })).toMatchObject([{ key, line }]);
      expect(await searched(client, { query: 'line 0 of' })).toEqual([]);
    };
    await expect.poll(() => indexed().toSorted(), { timeout: 20_000 }).toEqual(segments);
    await expectFound(operator);
    await server.restart(() => {
      for (const [at, name] of filesIn(root, '.xci').entries())
        if (at % 2 === 0) rmSync(join(root, name));
        else writeFileSync(join(root, name), 'XCI1 of an earlier version');
    });
    await expectFound(await server.client('operator'));
    const current = (): string[] => indexed().filter((name) => readIndex(join(root, name)) !== null);
    await expect.poll(() => current().toSorted(), { timeout: 20_000 }).toEqual(segments);
    await expectFound(await server.client('operator'));
    expect(server.defects).toEqual([]);
  }, 60_000);

  it('[HS17] [HS19] wait while the machine is busy, as does sealing', async () => {
    server = await TestServer.start({ recordIndexLoad: -1 });
    const root = join(server.stateDir, 'rec');
    const key = await run(await server.client('agent'), COUNTED);
    await finishedIn(root, await server.client('operator'), key);
    const madeWhileBusy: number[] = [];
    const [segment = ''] = filesIn(root, '.xcr');
    const isSealed = (): boolean => formOf(join(root, segment)).isSealed;
    const indexer = new Indexer(
      {
        root,
        ready: Promise.resolve(),
        onSegment: () => undefined,
        replacing: new Replacing({ root, liveRecording: () => undefined, isRemoving: () => false }),
        retention: { resized: () => Promise.resolve() },
      },
      {
        recordIndexMs: 10,
        get recordIndexLoad() {
          madeWhileBusy.push(filesIn(root, '.xci').length + Number(isSealed()));
          return madeWhileBusy.length < 5 ? -1 : Number.POSITIVE_INFINITY;
        },
      },
    );
    await expect.poll(() => filesIn(root, '.xci').length, { timeout: 20_000 }).toBe(1);
    await expect.poll(isSealed, { timeout: 20_000 }).toBe(true);
    expect(madeWhileBusy.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    indexer.close();
  }, 60_000);
});
