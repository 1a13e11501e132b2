// Tests of recordings whose last segment is missing or cut: every reader gets a gap with the bytes that are missing.
import { readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ReadByKeyResult, SnapshotResult } from '../../protocol/console.ts';
import type { LinesResult } from '../../protocol/recorded-lines.ts';
import type { MomentResult, RecordingResult } from '../../protocol/replay.ts';
import { sealSegment } from '../record/seal.ts';
import { finishedIn, list, run } from '../testing/past-runs.ts';
import { recordedOutput } from '../testing/recorded-output.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

const LINES = 30_000;
const TEXT = Array.from({ length: LINES }, (_, at) => `line ${at + 1} of the log\n`).join('');
const COMMAND = `seq -f 'line %.0f of the log' ${LINES}; exit 3`;

/** Removes the second half of a file. */
const cut = (path: string): void => truncateSync(path, Math.floor(statSync(path).size / 2));

const segments = (): string[] => {
  const root = join(server.stateDir, 'rec');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.xcr'))
    .map((name) => join(root, name))
    .toSorted();
};

/** Runs a command, damages its last segment, and returns its key in the next gateway. */
async function damaged(
  form: 'plain' | 'sealed',
  damage: (path: string) => void,
  tty = false,
): Promise<string> {
  server = await TestServer.start({ recordSegmentBytes: 128 * 1024, recordIndexMs: 1_000_000 });
  const command = tty ? `stty -onlcr; ${COMMAND}` : COMMAND;
  const key = await run(await server.client('agent'), command, tty ? { tty } : {});
  await finishedIn(join(server.stateDir, 'rec'), await server.client('operator'), key);
  const last = segments().at(-1) ?? '';
  if (form === 'sealed') {
    sealSegment({ path: last, to: `${last}.new` });
    renameSync(`${last}.new`, last);
  }
  await server.restart();
  damage(last);
  return key;
}

it.each([
  ['missing', 'plain', rmSync],
  ['cut', 'plain', cut],
  ['cut', 'sealed', cut],
] as const)(
  '[HS6] [HS15] Output of a %s %s last segment is counted as missing',
  async (_, form, damage) => {
    const key = await damaged(form, damage);
    const operator = await server.client('operator');
    const { text, missed } = await recordedOutput(operator, key);
    expect(TEXT.startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(TEXT.length / 2);
    expect(missed).toBe(TEXT.length - text.length);
    expect(missed).toBeGreaterThan(0);
    const [entry] = await list(operator, { key });
    const afterSeq = (entry?.nextSeq ?? 0) - 2;
    const end = await operator.request<ReadByKeyResult>('process/read', { key, afterSeq, waitMs: 60_000 });
    expect(end).toMatchObject({ exited: true, exitCode: 3, closed: true, closedSeq: afterSeq + 1 });
    const attached = await operator.request('process/attach', { key, afterSeq: 0 });
    expect(attached).toMatchObject({ nextSeq: entry?.nextSeq, offset: TEXT.length });
    const row = text.split('\n').length - 1 + (text.endsWith('\n') ? 0 : 1);
    const { rows } = await operator.request<LinesResult>('process/lines', { key, row: row - 1 });
    expect(rows.map((each) => ('bytes' in each ? each.bytes : each.kind))).toEqual(['line', missed]);
    expect(rows.at(-1)?.row).toBe(row);
    const rest = await operator.request<LinesResult>('process/lines', { key, row });
    expect(rest.rows).toEqual(rows.slice(1));
    const { marks } = await operator.request<RecordingResult>('process/recording', { key });
    expect(marks).toContainEqual(expect.objectContaining({ kind: 'gap', bytes: missed }));
  },
  60_000,
);

it('[HS6] [HS15] Output of a recording without any segment is one gap', async () => {
  const key = await damaged('plain', () => segments().forEach((path) => rmSync(path)));
  const operator = await server.client('operator');
  expect(await recordedOutput(operator, key)).toEqual({ text: '', missed: TEXT.length });
  const { rows } = await operator.request<LinesResult>('process/lines', { key });
  expect(rows).toEqual([{ row: 0, kind: 'gap', bytes: TEXT.length }]);
  const atEnd = await operator.request<LinesResult>('process/lines', { key, offset: TEXT.length });
  expect(atEnd.place).toEqual({ row: 1, number: 0, isAfterGap: true, open: [] });
}, 60_000);

it('[HS6] The screen of a terminal whose last segment is missing has the output before it, and is not exact', async () => {
  const key = await damaged('plain', rmSync, true);
  const operator = await server.client('operator');
  const { text } = await recordedOutput(operator, key);
  const snapshot = await operator.request<SnapshotResult>('process/snapshot', { key, scrollback: 10 });
  expect(snapshot.exact).toBe(false);
  expect(Buffer.from(snapshot.data, 'base64').toString()).toContain(text.split('\n').at(-2));
  const moment = { key, atMs: Date.now() + 60_000, scrollback: 10 };
  let result: MomentResult;
  do result = await operator.request<MomentResult>('process/moment', moment);
  while (!result.isReached);
  expect(result.exact).toBe(false);
}, 60_000);
