// Asciicast files: times never go back, characters and sizes are in the right place, and gaps are marked.
import { expect, it } from 'vitest';
import { readAsCast } from './cast-writer.ts';
import type { Retained } from './retained-output.ts';

const STARTED_MS = 1_700_000_000_500;
const info = {
  argv: ['/bin/sh', '-c', 'make it'],
  startedAtMs: STARTED_MS,
  size: null,
  tty: true,
  exitCode: null,
};

const printed = (
  bytes: string | number[],
  afterMs: number | null,
  stream: 'pty' | 'stdout' | 'stderr' = 'pty',
): Retained => ({
  kind: 'output',
  seq: 1,
  stream,
  bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(bytes),
  atMs: afterMs === null ? null : STARTED_MS + afterMs,
});

async function cast(
  pages: readonly (readonly Retained[])[],
  ofWhat: Parameters<typeof readAsCast>[1] = info,
): Promise<unknown[]> {
  async function* source() {
    yield* pages;
  }
  let text = '';
  for await (const lines of readAsCast(source(), ofWhat)) text += lines;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

it('an asciicast has the time of each output, including that of a split character', async () => {
  const [a, b, c] = new TextEncoder().encode('日');
  expect(
    await cast([[printed([0x61, a ?? 0], 250)], [printed([b ?? 0, c ?? 0], 1500), printed('x', 900)]]),
  ).toEqual([
    {
      version: 3,
      term: { cols: 80, rows: 24 },
      timestamp: 1_700_000_000,
      command: "/bin/sh -c 'make it'",
      title: 'make it',
    },
    [0.25, 'o', 'a'],
    [1.25, 'o', '日'],
    [0, 'o', 'x'],
  ]);
});

it('an asciicast has the initial size, and each later size once, in its place', async () => {
  const size = { rows: 10, cols: 40 };
  const resized = { kind: 'resized', size, afterSeq: 0 } as const;
  const [head, ...events] = await cast([
    [resized, printed('a', 100)],
    [resized, printed('b', 200), { ...resized, size: { rows: 12, cols: 50 } }, printed('c', 300)],
  ]);
  expect(head).toMatchObject({ term: { cols: 40, rows: 10 } });
  expect(events).toEqual([
    [0.1, 'o', 'a'],
    [0.1, 'o', 'b'],
    [0.1, 'r', '50x12'],
    [0, 'o', 'c'],
  ]);
});

it('an asciicast of output whose beginning is missing starts with the screen, at time 0', async () => {
  const screen = {
    kind: 'screen',
    seq: 5,
    size: { rows: 3, cols: 9 },
    data: new TextEncoder().encode('was here'),
    isExact: true,
  } as const;
  expect(await cast([[{ kind: 'gap', bytes: 2048, nextSeq: 5 }, screen, printed('x', 3_600_000)]])).toEqual([
    expect.objectContaining({ term: { cols: 9, rows: 3 }, timestamp: 1_700_003_600 }),
    [0, 'm', '2.0 kB missing'],
    [0, 'o', '\u001bcwas here'],
    [0, 'o', 'x'],
  ]);
});

it('an asciicast of a range begins with its screen, and keeps the delay before the first output', async () => {
  const size = { rows: 3, cols: 9 };
  const screen = { kind: 'screen', seq: 5, size, data: new Uint8Array(), isExact: true } as const;
  expect(await cast([[screen, printed('x', 2000)]])).toEqual([
    expect.objectContaining({ term: { cols: 9, rows: 3 }, timestamp: 1_700_000_000 }),
    [0, 'o', '\u001bc'],
    [2, 'o', 'x'],
  ]);
});

it('an asciicast of a pipe has the carriage returns that a terminal needs', async () => {
  const [, ...events] = await cast([[printed('a\nb', 0, 'stdout'), printed('e\n', null, 'stderr')]], {
    ...info,
    tty: false,
  });
  expect(events).toEqual([
    [0, 'o', 'a\r\nb'],
    [0, 'o', 'e\r\n'],
  ]);
});

it('an asciicast ends with the exit code', async () => {
  const [, ...events] = await cast([[printed('a', 100)]], { ...info, exitCode: 3 });
  expect(events).toEqual([
    [0.1, 'o', 'a'],
    [0, 'x', '3'],
  ]);
});

it('an asciicast of a process without output has only a header', async () => {
  expect(await cast([])).toHaveLength(1);
});
