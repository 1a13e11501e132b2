// Tests of replays of real programs: every moment has the screen that the program had drawn by then.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReadByKeyResult, SizeMark, StartResult } from '../../protocol/console.ts';
import type { MomentResult, RecordingResult } from '../../protocol/replay.ts';
import { ENV, run } from '../testing/past-runs.ts';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

const SCROLLBACK = 1000;
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

interface Frame {
  readonly seq: number;
  readonly atMs: number;
  readonly bytes: Buffer;
}

/** Resolves with all output and its times, and the sizes of the terminal. */
async function everything(client: TestClient, key: string) {
  const frames: Frame[] = [];
  const sizes: SizeMark[] = [];
  for (let afterSeq = 0; ;) {
    const params = { key, afterSeq, recorded: true };
    const page = await client.request<ReadByKeyResult>('process/read', params);
    for (const { seq, atMs, chunk } of page.chunks)
      frames.push({ seq, atMs, bytes: Buffer.from(chunk, 'base64') });
    sizes.push(...page.sizes);
    if (page.nextSeq - 1 === afterSeq) return { frames, sizes };
    afterSeq = page.nextSeq - 1;
  }
}

const recording = (client: TestClient, key: string): Promise<RecordingResult> =>
  client.request('process/recording', { key });

async function moment(
  client: TestClient,
  key: string,
  atMs: number,
  options: object = {},
): Promise<MomentResult> {
  for (;;) {
    const result = await client.request<MomentResult>('process/moment', { key, atMs, ...options });
    if (result.isReached) return result;
  }
}

async function shown({ rows, cols, data }: MomentResult) {
  const terminal = freshTerminal({ rows, cols }, SCROLLBACK);
  await written(terminal, Buffer.from(data, 'base64'));
  return seen(terminal);
}

/** Expects the screen of each of these moments to equal that of a terminal with the output up to it. */
async function expectExact(client: TestClient, key: string, pick: (times: readonly number[]) => number[]) {
  const { frames, sizes } = await everything(client, key);
  const times = [...new Set(frames.map(({ atMs }) => atMs))];
  const wanted = pick(times).toSorted((one, other) => one - other);
  const terminal = freshTerminal(sizes[0] ?? { rows: 24, cols: 80 }, SCROLLBACK);
  const expected = new Map<number, ReturnType<typeof seen>>();
  let at = 0;
  for (const atMs of wanted) {
    for (let frame = frames[at]; frame && frame.atMs <= atMs; frame = frames[(at += 1)]) {
      const { seq } = frame;
      const size = sizes.findLast(({ afterSeq }) => afterSeq < seq);
      if (size && (size.cols !== terminal.cols || size.rows !== terminal.rows))
        terminal.resize(size.cols, size.rows);
      await written(terminal, frame.bytes);
    }
    expected.set(atMs, seen(terminal));
  }
  // Going from the end to the beginning requires keyframes.
  for (const atMs of wanted.toReversed()) {
    const result = await moment(client, key, atMs);
    expect(result).toMatchObject({ exact: true, frameMs: atMs });
    expect(await shown(result)).toEqual(expected.get(atMs));
  }
}

async function startTerminal(agent: TestClient, argv: readonly string[]) {
  const processId = `p${Math.random()}`;
  const env = { ...ENV, TERM: 'xterm-256color', HOME: mkdtempSync(join(tmpdir(), 'replayed-')) };
  const start = { processId, argv, cwd: 'file:///tmp', env, tty: true };
  const { key } = await agent.request<StartResult>('process/start', start);
  let count = 0;
  const type = (text: string): Promise<unknown> =>
    agent.request('process/write', {
      processId,
      chunk: Buffer.from(text).toString('base64'),
      writeId: `w${(count += 1)}`,
    });
  return { key, processId, type };
}

const evenly = (count: number) => (times: readonly number[]) =>
  Array.from({ length: count }, (_, at) => times[Math.floor((at * (times.length - 1)) / (count - 1))] ?? 0);

describe('process/moment', () => {
  it('[HS16] has the exact screen of vim at every moment, over a resize and a restart of the gateway', async () => {
    server = await TestServer.start();
    const agent = await server.client('agent');
    const operator = await server.client('operator');
    const file = join(mkdtempSync(join(tmpdir(), 'replayed-')), 'edited.ts');
    writeFileSync(
      file,
      Array.from({ length: 300 }, (_, at) => `const line${at} = ${at}; // text\n`).join(''),
    );
    const { key, processId, type } = await startTerminal(agent, [
      'vim',
      '-u',
      'NONE',
      '-N',
      '-n',
      '--cmd',
      'syntax on',
      file,
    ]);
    const showsNow = (text: string): Promise<void> =>
      expect
        .poll(async () => {
          const { toMs } = await recording(operator, key);
          const result = await moment(operator, key, toMs);
          const terminal = freshTerminal({ rows: result.rows || 24, cols: result.cols || 80 }, 0);
          await written(terminal, Buffer.from(result.data, 'base64'));
          return Array.from({ length: terminal.rows }, (_, row) =>
            terminal.buffer.active.getLine(row)?.translateToString(true),
          ).join('\n');
        })
        .toContain(text);
    await showsNow('const line0 = 0');
    await type('ihello from vim\u001b');
    await showsNow('hello from vim');
    await agent.request('process/resize', { processId, rows: 40, cols: 100 });
    await showsNow('const line35 = 35');
    await type(':split\r');
    await type('\u0006\u0006/line200\r');
    await showsNow('const line200');
    await type(':qa!\r');
    await agent.request('process/wait', { processId, until: 'closed', waitMs: 30_000 });
    await expectExact(operator, key, (times) => [...times]);
    const { marks, fromMs, toMs, bins } = await recording(operator, key);
    expect(marks).toContainEqual(expect.objectContaining({ kind: 'resize', rows: 40, cols: 100 }));
    expect(marks).toContainEqual(expect.objectContaining({ kind: 'input', who: 'the agent' }));
    expect(marks.at(-1)).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect(fromMs).toBeLessThan(toMs);
    expect(bins.length).toBeGreaterThan(0);
    await server.restart();
    await expectExact(await server.client('operator'), key, evenly(8));
  }, 60_000);

  it('[HS16] has the exact screens of htop', async () => {
    server = await TestServer.start();
    const agent = await server.client('agent');
    const { key, processId, type } = await startTerminal(agent, ['htop', '-d', '3']);
    const operator = await server.client('operator');
    await expect.poll(async () => (await everything(operator, key)).frames.length).toBeGreaterThan(5);
    await type('q');
    await agent.request('process/wait', { processId, until: 'closed', waitMs: 30_000 });
    await expectExact(operator, key, (times) => [...times]);
  }, 60_000);

  it('[HS16] has the exact screens of a coloured build over several keyframes, even backwards', async () => {
    server = await TestServer.start({ recordSegmentBytes: 256 * 1024 });
    const agent = await server.client('agent');
    const script = `i=0; while [ $i -lt 30000 ]; do i=$((i+1)); printf '\\033[1;3%dm[%5d/30000]\\033[0m Building \\033[32msrc/a/rather/long/path/to/object-%d.o\\033[0m\\033[K\\r\\n\\033[7m %d%% \\033[0m\\r' $((i%8)) $i $i $((i/300)); done; echo`;
    const key = await run(agent, script, { tty: true });
    const operator = await server.client('operator');
    await expectExact(operator, key, evenly(12));
  }, 120_000);

  it('[HS16] masks secrets for observers with the same number of characters', async () => {
    server = await TestServer.start();
    // The first letters of the second secret are overwritten.
    const script = `printf 'token \\033[1m${SECRET}\\033[0m en\\r\\n${SECRET}\\r# \\r\\nend'`;
    const key = await run(await server.client('agent'), script, { tty: true });
    const text = async (client: TestClient, options = {}) => {
      const { toMs } = await recording(client, key);
      return Buffer.from((await moment(client, key, toMs, options)).data, 'base64').toString('latin1');
    };
    const operator = await server.client('operator');
    expect(await text(operator)).toContain(SECRET);
    for (const masked of [
      await text(await server.client('observer')),
      await text(operator, { masked: true }),
    ]) {
      expect(masked).not.toContain(SECRET.slice(4, 20));
      expect(masked).toMatch(/token .*\*{20,}.* en/);
    }
  });

  it('[HS16] returns the output of pipes before a moment, and marks stderr, bells and gaps', async () => {
    server = await TestServer.start();
    const agent = await server.client('agent');
    const operator = await server.client('operator');
    const key = await run(agent, 'echo one; echo oops >&2; exit 3');
    const { marks, toMs } = await recording(operator, key);
    expect(marks.map(({ kind }) => kind)).toEqual(['error', 'exit']);
    expect(await moment(operator, key, toMs)).toMatchObject({ seq: 0, rows: 0, data: '', isReached: true });
    const rings = await run(agent, `printf '\\a\\033]0;title\\a\\033]133;A\\033\\\\\\033]133;D;2\\a'`, {
      tty: true,
    });
    expect((await recording(operator, rings)).marks.map(({ kind }) => kind).toSorted()).toEqual([
      'bell',
      'error',
      'exit',
      'prompt',
    ]);
  });
});

describe('process/recording', () => {
  it('[HS16] is refused when nothing is recorded', async () => {
    server = await TestServer.start();
    const operator = await server.client('operator');
    await expect(recording(operator, 'none')).rejects.toThrow();
  });
});
