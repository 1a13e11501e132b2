// Tests of recorded lines whose end is not in the output that one page reads.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Stream } from '../../protocol/process.ts';
import type { RecordedRow } from '../../protocol/recorded-lines.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { RECORD_LIMITS } from '../record/limits.ts';
import { OutputCopies } from '../record/output-copies.ts';
import { folderOf, monthOf } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import { Recording } from '../record/recording.ts';
import { RecordedLines } from './recorded-lines.ts';
import { HistoryTasks } from './tasks.ts';

const KEY = 'a-key_16letters0';
const STARTED_MS = Date.UTC(2026, 10, 27);

let root = '';
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'recorded-lines-'))));
afterEach(() => rmSync(root, { recursive: true }));

async function firstRow(output: readonly (readonly [Stream, string])[]): Promise<RecordedRow | undefined> {
  const folder = folderOf(root, monthOf(STARTED_MS), KEY);
  mkdirSync(folder, { recursive: true });
  const recording = new Recording(
    KEY,
    folder,
    { seq: 1, offset: 0, isContinued: false },
    { limits: RECORD_LIMITS, copies: new OutputCopies(), taken: () => {}, finished: () => {} },
  );
  for (const [stream, text] of output) {
    recording.output(stream, Buffer.from(text), 1, true);
    await recording.write();
  }
  await recording.closeFile();
  const tasks = new HistoryTasks(60_000);
  const recorder = { root, flushed: async () => {} } as unknown as Recorder;
  const process = { key: KEY, startedAtMs: STARTED_MS, log: { totalBytes: 1 } } as unknown as ProcessView;
  const page = await new RecordedLines(recorder, tasks).read(
    process,
    { row: 0, limit: 1 },
    () => (chunk) => chunk,
  );
  tasks.close();
  return page?.rows[0];
}

/** A chunk of 64 KiB on stderr. */
const OTHER = ['stderr', `${'e'.repeat(63)}\n`.repeat(1024)] as const;

it.each([
  [80, 'Progress: ', true],
  [16, 'Progress: done', false],
])(
  '[HS15] marks a line as cut when its end was not read: %i chunks before it',
  async (count, text, isCut) => {
    const others = Array.from({ length: count }, () => OTHER);
    const row = await firstRow([['stdout', 'Progress: '], ...others, ['stdout', 'done\n']]);
    expect(row).toMatchObject({ kind: 'line', text, isCut });
  },
);

it('[HS15] does not mark a last line without a line feed as cut', async () => {
  const others = Array.from({ length: 16 }, () => OTHER);
  const row = await firstRow([['stdout', 'Progress: '], ...others]);
  expect(row).toMatchObject({ kind: 'line', text: 'Progress: ', isCut: false });
});
