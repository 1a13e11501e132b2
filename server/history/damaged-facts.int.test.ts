// Tests of damaged and foreign lines in a catalogue of recordings, among valid entries, and of unreadable files.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StoredMeta } from '../record/stored-meta.ts';
import { finishedIn, list, run, searched } from '../testing/past-runs.ts';
import { recordedOutput } from '../testing/recorded-output.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let key: string;
beforeEach(async () => {
  server = await TestServer.start();
  key = await run(await server.client('agent'), 'echo found');
  await expect
    .poll(() => months().length > 0 && existsSync(catalog()) && readFileSync(catalog(), 'utf8'))
    .toContain(key);
});
afterEach(() => server.stop());

const recordings = (): string => join(server.stateDir, 'rec');
const months = (): string[] => readdirSync(recordings()).filter((name) => /^\d{4}-\d\d$/.test(name));
const catalog = (): string => join(recordings(), months()[0] ?? '', 'catalog.jsonl');

/** Appends a copy of the valid entry with one invalid member. */
function append(info: object): void {
  const right = JSON.parse(readFileSync(catalog(), 'utf8')) as StoredMeta;
  const wrong = { ...right, info: { ...right.info, key: 'damaged', startedBy: 'nobody', ...info } };
  appendFileSync(catalog(), `${JSON.stringify(wrong)}\n`);
}

it.each([
  { startedAtMs: 1e300 },
  { argv: [{}, 1] },
  { label: {} },
  { metadata: null },
  { metadata: { a: 1 } },
  { cwd: 7 },
  { state: 'ended' },
  { acts: [{ who: 1 }] },
  { size: { rows: 1e9, cols: 1 } },
  { lastLine: undefined, argv: undefined },
])('[HS6] An entry with %j is left out, and all others are listed and found', async (info) => {
  append(info);
  for (const role of ['operator', 'observer'] as const) {
    const client = await server.client(role);
    expect((await list(client)).map((entry) => entry.key)).toEqual([key]);
    expect(await searched(client, { query: 'found' })).toEqual([expect.objectContaining({ key })]);
  }
  expect(server.defects).toEqual([]);
});

it.each(['', '.', '..', '../..', '../../others', 'x'.repeat(29)])(
  '[HS6] An entry with the key %j removes nothing outside its recording',
  async (damaged) => {
    const others = join(server.stateDir, 'others');
    mkdirSync(others);
    append({ key: damaged });
    const admin = await server.client('admin');
    const removed = await admin.request('console/historyRemove', { agent: 'nobody' });
    expect(removed).toEqual({ removed: 0, removedBytes: 0 });
    expect(existsSync(others)).toBe(true);
    expect((await list(admin)).map((entry) => entry.key)).toEqual([key]);
    expect(await searched(admin, { query: 'found' })).toHaveLength(1);
  },
);

it('[HS6] A catalogue that continues with 256 MiB of zeros is listed', async () => {
  truncateSync(catalog(), 256 * 1024 ** 2);
  appendFileSync(catalog(), '\n');
  expect((await list(await server.client('observer'))).map((entry) => entry.key)).toEqual([key]);
}, 30_000);

it('[HS6] A list and the lines of a process are refused with the reason when the system cannot read a file', async () => {
  const client = await server.client('operator');
  const files = readdirSync(join(recordings(), months()[0] ?? ''));
  for (const name of files) {
    const path = join(recordings(), months()[0] ?? '', name);
    rmSync(path, { recursive: true });
    symlinkSync(path, path);
  }
  for (const [method, params] of [
    ['console/history', {}],
    ['process/lines', { key }],
    ['process/moment', { key, atMs: 0 }],
  ] as const)
    await expect(client.request(method, params)).rejects.toThrow('recordings cannot be read: ELOOP');
});

it('[HS6] A recording that the system cannot read fails only its own replay', async () => {
  const other = await run(await server.client('agent'), 'echo other');
  const month = join(recordings(), months()[0] ?? '');
  for (const name of readdirSync(month).filter((each) => each.startsWith(key))) {
    rmSync(join(month, name), { recursive: true });
    symlinkSync(join(month, name), join(month, name));
  }
  const client = await server.client('operator');
  const moments = await Promise.allSettled(
    [key, other, key].map((each) => client.request('process/moment', { key: each, atMs: 0 })),
  );
  expect(moments.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
});

it.each([
  [
    'short',
    'damaged',
    'echo found',
    (path: string) => truncateSync(`${path}.xcr`, statSync(`${path}.xcr`).size - 1),
  ],
  ['long', 'damaged', 'seq 20000', (path: string) => writeFileSync(join(path, 'meta.json'), '{')],
  ['long', 'missing', 'seq 20000', (path: string) => rmSync(join(path, 'meta.json'))],
] as const)(
  '[HS3] [HS6] A %s recording with %s facts is opened with those of the catalogue',
  async (_form, _facts, command, damage) => {
    const other = await run(await server.client('agent'), `${command}; exit 3`);
    await finishedIn(recordings(), await server.client('operator'), other);
    await server.restart();
    damage(join(recordings(), months()[0] ?? '', other));
    const operator = await server.client('operator');
    const [entry] = await list(operator, { key: other });
    expect(entry).toMatchObject({ key: other, exitCode: 3 });
    const { text, missed } = await recordedOutput(operator, other);
    expect([text.split('\n').length > 1, missed]).toEqual([true, 0]);
    expect(await operator.request('process/attach', { key: other, afterSeq: 0 })).toMatchObject({
      nextSeq: entry?.nextSeq,
    });
    expect(await operator.request('process/lines', { key: other, limit: 1 })).toMatchObject({
      rows: [{ kind: 'line' }],
    });
    await server.restart();
    // The catalogue has no other copy of these facts.
    rmSync(catalog());
    const again = await server.client('operator');
    for (const [method, params] of [
      ['console/history', {}],
      ['process/read', { afterSeq: 0 }],
      ['process/attach', { afterSeq: 0 }],
      ['process/lines', {}],
    ] as const)
      await expect(again.request(method, { key: other, ...params })).rejects.toThrow(
        `process ${other} cannot be opened: the facts of this recording are damaged`,
      );
  },
);
