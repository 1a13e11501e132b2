// Tests of a recording that is continued after a gateway was killed, where it left an incomplete segment.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RECORD_LIMITS } from './limits.ts';
import { OutputCopies } from './output-copies.ts';
import { segmentName } from './places.ts';
import { Recording } from './recording.ts';
import { encodeHead } from './segment-format.ts';
import { StoredRecording } from './stored-recording.ts';

const KEY = 'a-key_16letters0';
const HEAD = encodeHead({ key: KEY, segment: 2, firstOffset: 8, wallMs: 1, monotonicUs: 1, salt: 1 });
const LINES = ['one\n', 'two\n', 'three\n', 'four\n', 'five\n'] as const;

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'recording-')), KEY);
  mkdirSync(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

/** Records these lines, with segments that have room for two of them; an earlier gateway's recording is continued. */
async function record(lines: readonly string[], isContinued: boolean): Promise<number> {
  const recording = new Recording(
    KEY,
    folder,
    { seq: 1, offset: 0, isContinued },
    {
      limits: { ...RECORD_LIMITS, recordSegmentBytes: 10 },
      copies: new OutputCopies(),
      taken: () => {},
      finished: () => {},
    },
  );
  for (const line of lines) {
    recording.output('stdout', Buffer.from(line), 1, true);
    await recording.write();
  }
  await recording.closeFile();
  return recording.lostBytes;
}

async function recorded(): Promise<string> {
  const { events } = await (await StoredRecording.open(folder)).after(0, 1000);
  return events.map((event) => (event.kind === 'output' ? event.bytes.toString() : event.kind)).join('');
}

it.each([
  [0, 0],
  [0, 20],
  [2, 0],
  [2, HEAD.length - 1],
  [2, HEAD.length],
  [3, 0],
])(
  '[HS14] after %i lines, continues when the next segment has only %i bytes of its head',
  async (count, bytes) => {
    await record(LINES.slice(0, count), false);
    const next = readdirSync(folder).length + 1;
    writeFileSync(join(folder, segmentName(next)), HEAD.subarray(0, bytes));
    expect(await record(LINES, true)).toBe(0);
    expect(await recorded()).toBe(LINES.join(''));
  },
);
