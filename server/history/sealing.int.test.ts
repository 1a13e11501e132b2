// Tests of sealed recordings of real processes: the replies to every reader, their size on disk, and crashes while
// sealing.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Dice } from '../../client/testing/dice.ts';
import type { StartResult } from '../../protocol/console.ts';
import type { MomentResult } from '../../protocol/replay.ts';
import { newFolder } from '../record/places.ts';
import { formOf, plainSegment } from '../record/segment-content.ts';
import { ENV, finishedIn, list, run, searched } from '../testing/past-runs.ts';
import { recordedOutput } from '../testing/recorded-output.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';
import { LEAST_BYTES } from './unfinished.ts';

let server: TestServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const LINES = 60_000;
const COUNTED = `seq -f 'line %.0f of the log' ${LINES}`;
const countedText = (lines = LINES): string =>
  Array.from({ length: lines }, (_, at) => `line ${at + 1} of the log\n`).join('');
const SMALL = { recordSegmentBytes: 256 * 1024, recordIndexMs: 10 };
const SECRET = `ghp_${'a1B2c3'.repeat(6)}`;

const recordings = (of: TestServer): string => join(of.stateDir, 'rec');
const segments = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.xcr'))
    .map((name) => join(root, name))
    .toSorted();
const areSealed = (root: string): boolean[] => segments(root).map((path) => formOf(path).isSealed);
const diskBytes = (root: string): number =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.xc[ri]$/.test(name))
    .reduce((sum, name) => sum + statSync(join(root, name)).size, 0);

/** Resolves when the sizes in the history add up to those on disk. */
async function expectCounted(root: string, client: TestClient): Promise<void> {
  const difference = async (): Promise<number> =>
    (await list(client)).reduce((sum, { recordedBytes }) => sum + recordedBytes, -diskBytes(root));
  await expect.poll(difference, { timeout: 30_000 }).toBe(0);
}

async function readAll(client: TestClient, key: string): Promise<string> {
  const { text, missed } = await recordedOutput(client, key);
  expect(missed).toBe(0);
  return text;
}

/** Resolves with the screen at the given time; drawing it may take several requests. */
async function moment(client: TestClient, key: string, atMs: number): Promise<MomentResult> {
  for (;;) {
    const found = await client.request<MomentResult>('process/moment', { key, atMs });
    if (found.isReached) return found;
  }
}

/** Returns the replies of all methods that read a recording. */
async function answers(of: TestServer, key: string): Promise<object> {
  const [operator, observer] = [await of.client('operator'), await of.client('observer')];
  const readers = [operator, observer];
  const both = async <T>(read: (client: TestClient) => Promise<T>): Promise<readonly T[]> => [
    await read(readers[0] as TestClient),
    await read(readers[1] as TestClient),
  ];
  const { toMs } = await operator.request<{ toMs: number }>('process/recording', { key });
  const text = await both((client) => readAll(client, key));
  expect(text.map((each) => each.includes(SECRET))).toEqual([true, false]);
  return {
    text: text.map((each) => createHash('sha256').update(each).digest('hex')),
    part: await both((client) =>
      client.request('process/read', { key, afterSeq: 40, maxBytes: 10_000, recorded: true }),
    ),
    lines: await both((client) => client.request('process/lines', { key, row: 54_321, limit: 20 })),
    byOffset: await both((client) => client.request('process/lines', { key, offset: 700_000, limit: 3 })),
    found: await both((client) => searched(client, { query: 'line 4321' })),
    secret: await both((client) => searched(client, { query: SECRET })),
    recording: await operator.request('process/recording', { key }),
    moment: await both((client) => moment(client, key, toMs)),
  };
}

describe('Sealed recordings', () => {
  it('[HS19] keep their content for every reader, take less of the disk, and are removed', async () => {
    const limits = { ...SMALL, recordIndexLoad: -1 };
    server = await TestServer.start(limits);
    const root = recordings(server);
    const size = { rows: 24, cols: 80 };
    const script = `${COUNTED}; echo ${SECRET}; ${COUNTED}`;
    const key = await run(await server.client('agent'), script, { tty: true, size });
    const before = await finishedIn(root, await server.client('operator'), key);
    expect(before.recordedBytes).toBe(diskBytes(root));
    await server.restart();
    const whole = await answers(server, key);
    expect(areSealed(root)).not.toContain(true);
    await server.restart(() => (limits.recordIndexLoad = Number.POSITIVE_INFINITY));
    await expect
      .poll(() => areSealed(root).filter((is) => is).length, { timeout: 30_000 })
      .toBeGreaterThan(8);
    const operator = await server.client('operator');
    await expectCounted(root, operator);
    const [entry] = await list(operator);
    expect(await list(operator, { key })).toEqual([entry]);
    expect(diskBytes(root)).toBeLessThan(before.recordedBytes / 2);
    expect(await answers(server, key)).toEqual(whole);
    expect(readdirSync(newFolder(root))).toEqual([]);
    await server.restart();
    expect(await answers(server, key)).toEqual(whole);
    expect(server.defects).toEqual([]);
    const removed = await (await server.client('admin')).request('console/historyRemove', { keys: [key] });
    expect(removed).toEqual({ removed: 1, removedBytes: entry?.recordedBytes });
    expect(
      readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(key)),
    ).toEqual([]);
  }, 120_000);

  it('[HS19] have all output of a running process, while it prints and while they are sealed', async () => {
    server = await TestServer.start({ ...SMALL, recordIndexLoad: Number.POSITIVE_INFINITY });
    const root = recordings(server);
    const agent = await server.client('agent');
    const operator = await server.client('operator');
    const script = `${COUNTED}; read line; ${COUNTED}`;
    const { key } = await agent.request<StartResult>('process/start', {
      processId: 'p',
      argv: ['bash', '-c', script],
      cwd: 'file:///tmp',
      env: ENV,
      tty: false,
      pipeStdin: true,
    });
    const printed = async (text: string): Promise<void> => {
      await expect
        .poll(async () => (await readAll(operator, key)).length, { timeout: 30_000 })
        .toBe(text.length);
      expect((await readAll(operator, key)) === text).toBe(true);
    };
    await printed(countedText());
    // The newest segment still grows, and a segment before a large batch of output may be too small to seal.
    const sealable = segments(root)
      .slice(0, -1)
      .filter((path) => formOf(path).plainBytes >= LEAST_BYTES);
    expect(sealable.length).toBeGreaterThan(2);
    await expect
      .poll(() => sealable.map((path) => formOf(path).isSealed), { timeout: 30_000 })
      .not.toContain(false);
    await printed(countedText());
    expect(await searched(operator, { query: 'line 12345 of' })).toMatchObject([{ key, line: 12_345 }]);
    await agent.request('process/write', {
      processId: 'p',
      writeId: '1',
      chunk: Buffer.from('\n').toString('base64'),
    });
    await printed(countedText() + countedText());
    await agent.request('process/wait', { processId: 'p', until: 'closed', waitMs: 60_000 });
    expect((await list(operator))[0]?.outputBytes).toBe(2 * countedText().length);
    await expectCounted(root, operator);
    await printed(countedText() + countedText());
    expect(server.defects).toEqual([]);
  }, 120_000);

  it('[HS12] [HS19] are counted with their indexes, so that more fit into the limit of all', async () => {
    const limits = { ...SMALL, recordIndexLoad: Number.POSITIVE_INFINITY, recordBytes: 4_500_000 };
    server = await TestServer.start(limits);
    const root = recordings(server);
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    // Each recording is more than a megabyte before compression.
    for (let at = 1; at <= 6; at += 1) {
      const key = await run(agent, `seq -f 'line %.0f of the log' ${LINES - at}`);
      await finishedIn(root, operator, key);
      await expect
        .poll(async () => (await list(operator, { key }))[0]?.recordedBytes, { timeout: 30_000 })
        .toBeLessThan(600_000);
    }
    const all = await list(operator);
    expect(all.length).toBe(6);
    await expectCounted(root, operator);
    // Random bytes do not shrink, so the oldest recordings are removed.
    const noise = await run(agent, 'head -c 3500000 /dev/urandom');
    await expect.poll(() => diskBytes(root), { timeout: 30_000 }).toBeLessThanOrEqual(4_500_000);
    const left = await list(operator);
    expect(left[0]?.key).toBe(noise);
    expect(left.length).toBeGreaterThan(1);
    expect(left.map(({ key }) => key)).toEqual([noise, ...all.map(({ key }) => key)].slice(0, left.length));
  }, 120_000);

  it('[HS19] are whole in one form or the other, wherever their sealing is killed', async () => {
    server = await TestServer.start({ ...SMALL, recordIndexLoad: -1 });
    const root = recordings(server);
    const key = await run(await server.client('agent'), COUNTED);
    await finishedIn(root, await server.client('operator'), key);
    const folder = dirname(segments(root)[0] ?? '');
    const plain = mkdtempSync(join(tmpdir(), 'plain-'));
    for (const path of segments(root)) cpSync(path, join(plain, basename(path)));
    const program = fileURLToPath(new URL('../testing/sealer.ts', import.meta.url));
    const loader = createRequire(import.meta.url).resolve('tsx');
    const dice = new Dice(Date.now());
    let sealedCount = 0;
    for (let round = 0; round < 12; round += 1) {
      const child = spawn(process.execPath, ['--import', loader, program, root, folder, plain]);
      await once(child.stdout, 'data');
      await sleep(dice.random() * 80);
      child.kill('SIGKILL');
      await once(child, 'exit');
      for (const path of segments(folder)) {
        const bytes = readFileSync(path);
        sealedCount += Number(formOf(path).isSealed);
        expect(plainSegment(bytes).equals(readFileSync(join(plain, basename(path))))).toBe(true);
      }
    }
    expect(sealedCount).toBeGreaterThan(0);
    // A gateway removes new files that a killed one has left.
    mkdirSync(newFolder(root), { recursive: true });
    writeFileSync(join(newFolder(root), 'torn'), 'half');
    await server.restart();
    expect((await readAll(await server.client('operator'), key)) === countedText()).toBe(true);
    expect(segments(root)).toHaveLength(readdirSync(plain).length);
    rmSync(plain, { recursive: true });
  }, 120_000);
});
