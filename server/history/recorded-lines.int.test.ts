// Tests of lines of recordings by row and by byte, of real processes that have ended or are still printing.
import { afterEach, describe, expect, it } from 'vitest';
import type { StartResult } from '../../protocol/console.ts';
import type { LinesResult, RecordedRow } from '../../protocol/recorded-lines.ts';
import { ENV, list, run, searched } from '../testing/past-runs.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

const SMALL = { recordSegmentBytes: 128 * 1024 };
const LINES = 30_000;

const lines = (client: TestClient, params: object): Promise<LinesResult> =>
  client.request('process/lines', params);

async function allRows(client: TestClient, key: string): Promise<RecordedRow[]> {
  const all: RecordedRow[] = [];
  for (;;) {
    const { rows } = await lines(client, { key, row: all.length, limit: 2000 });
    if (rows.length === 0) return all;
    all.push(...rows);
  }
}

const textOf = (row: RecordedRow | undefined): string | undefined =>
  row?.kind === 'line' ? row.text : undefined;

describe('A page of lines', () => {
  it('[HS15] has every line once, with its number and the number of bytes before it, from any row and any byte', async () => {
    server = await TestServer.start(SMALL);
    const script = `seq -f 'line %.0f of the log' ${LINES}; printf half; sleep 0.3; echo err >&2; sleep 0.3; echo; printf end`;
    const key = await run(await server.client('agent'), script);
    const operator = await server.client('operator');
    const rows = await allRows(operator, key);
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, at) => at));
    expect(rows.slice(0, LINES).map(textOf)).toEqual(
      Array.from({ length: LINES }, (_, at) => `line ${at + 1} of the log`),
    );
    expect(rows.slice(LINES).map(textOf)).toEqual(['half', 'err', 'end']);
    for (const row of [0, 1, 499, 23_456, LINES - 1, LINES, LINES + 1]) {
      const page = await lines(operator, { key, row, limit: 3 });
      expect(page.rows).toEqual(rows.slice(row, row + 3));
    }
    for (const row of [0, 17_777, LINES - 1]) {
      const wanted = rows[row];
      if (wanted?.kind !== 'line') throw new Error('not a line');
      const { place, rows: found } = await lines(operator, { key, offset: wanted.offset, limit: 1 });
      expect(place).toEqual({ row, number: row, isAfterGap: false, open: [] });
      expect(found).toEqual([wanted]);
      const within = await lines(operator, { key, offset: wanted.offset + 3, limit: 1 });
      expect(within).toEqual({
        place: { row: row + 1, number: row + 1, isAfterGap: false, open: ['stdout'] },
        rows: [wanted],
      });
    }
    await server.restart();
    expect(await allRows(await server.client('operator'), key)).toEqual(rows);
  }, 120_000);

  it('[HS15] has an exact gap where the limit of a recording removed output, even when it removes more', async () => {
    server = await TestServer.start({
      ...SMALL,
      recordFirstBytes: 256 * 1024,
      recordProcessBytes: 512 * 1024,
    });
    const agent = await server.client('agent');
    const processId = 'counts';
    const seq = "seq -f 'line %.0f of the log'";
    const script = `${seq} 1 40000; read x; ${seq} 40001 80000; read x`;
    const start = { processId, argv: ['bash', '-c', script], cwd: 'file:///tmp', env: ENV, tty: false };
    const { key } = await agent.request<StartResult>('process/start', { ...start, pipeStdin: true });
    const operator = await server.client('operator');
    const last = async () => {
      const [entry] = await list(operator, { key });
      return textOf((await lines(operator, { key, offset: (entry?.outputBytes ?? 1) - 1 })).rows.at(-1));
    };
    const expectWhole = (rows: readonly RecordedRow[], newest: number): void => {
      const gaps = rows.filter(({ kind }) => kind === 'gap');
      expect(gaps).toHaveLength(1);
      const at = rows.findIndex(({ kind }) => kind === 'gap');
      const [gap, after] = [gaps[0], rows[at + 1]];
      const before = rows[at - 1];
      if (gap?.kind !== 'gap' || after?.kind !== 'line' || before?.kind !== 'line') throw new Error('no gap');
      expect(after).toMatchObject({ number: 1, isAfterGap: true });
      // The gap may begin within a line or after its line feed.
      const missing = after.offset - before.offset - Buffer.byteLength(before.text);
      expect([missing, missing - 1]).toContain(gap.bytes);
      expect(textOf(rows.at(-1))).toBe(`line ${newest} of the log`);
      expect(rows.slice(at + 2).every((row, index) => row.kind === 'line' && row.number === index + 2)).toBe(
        true,
      );
    };
    await expect.poll(last, { timeout: 30_000 }).toBe('line 40000 of the log');
    expectWhole(await allRows(operator, key), 40_000);
    await agent.request('process/write', {
      processId,
      writeId: '1',
      chunk: Buffer.from('\n').toString('base64'),
    });
    await expect.poll(last, { timeout: 30_000 }).toBe('line 80000 of the log');
    const all = await allRows(operator, key);
    expectWhole(all, 80_000);
    // A search numbers a line as the list of lines does.
    for (const line of [1, 79_999]) {
      const text = `line ${line} of the log`;
      const row = all.find((each) => textOf(each) === text);
      const [hit] = await searched(operator, { key, query: text });
      expect(row).toMatchObject({ number: hit?.line, isAfterGap: hit?.isAfterGap ?? false });
    }
    await server.restart();
    expectWhole(await allRows(await server.client('operator'), key), 80_000);
  }, 120_000);

  it('[HS15] ends with a gap where the last output is not recorded', async () => {
    server = await TestServer.start({ recordQueueBytes: 10 });
    const agent = await server.client('agent');
    const script = 'echo first; read x; seq 1000; read x';
    const start = {
      processId: 'burst',
      argv: ['bash', '-c', script],
      cwd: 'file:///tmp',
      env: ENV,
      tty: false,
    };
    const { key } = await agent.request<StartResult>('process/start', { ...start, pipeStdin: true });
    const operator = await server.client('operator');
    await expect.poll(async () => textOf((await lines(operator, { key })).rows[0])).toBe('first');
    await agent.request('process/write', {
      processId: 'burst',
      writeId: '1',
      chunk: Buffer.from('\n').toString('base64'),
    });
    const printed = 'first\n'.length + Array.from({ length: 1000 }, (_, at) => `${at + 1}\n`).join('').length;
    await expect.poll(async () => (await list(operator, { key }))[0]?.outputBytes).toBe(printed);
    const { place, rows } = await lines(operator, { key, offset: printed, row: 0 });
    expect(place).toEqual({ row: 2, number: 0, isAfterGap: true, open: [] });
    expect(rows.map((row) => (row.kind === 'gap' ? row.bytes : row.text))).toEqual(['first', printed - 6]);
    expect((await lines(operator, { key, offset: printed, row: 1 })).rows).toEqual(rows.slice(1));
    expect(await lines(operator, { key, offset: printed + 1 })).toEqual({ rows: [], place: null });
  }, 60_000);

  it('[HS15] has every line of a flood that is faster than the disk', async () => {
    server = await TestServer.start({
      recordQueueBytes: 2_000_000,
      recordHoldBytes: 200_000,
      recordResumeBytes: 100_000,
      recordProcessBytes: 200_000_000,
    });
    const key = await run(await server.client('agent'), 'seq 4000000');
    const operator = await server.client('operator');
    const [entry] = await list(operator, { key });
    const { place } = await lines(operator, { key, offset: entry?.outputBytes ?? 0 });
    expect(place).toEqual({ row: 4_000_000, number: 4_000_000, isAfterGap: false, open: [] });
  }, 120_000);

  it('[HS15] has masked text for observers, and is refused where nothing is recorded', async () => {
    server = await TestServer.start({}, { record: false });
    const key = await run(await server.client('agent'), 'echo x');
    await expect(lines(await server.client('operator'), { key })).rejects.toThrow('has no recording');
    await server.stop();
    server = await TestServer.start();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const shown = await run(await server.client('agent'), `echo one; echo token=${secret}; echo two`);
    const { rows } = await lines(await server.client('observer'), { key: shown });
    expect(rows.map(textOf)).toEqual(['one', expect.stringMatching(/^token=ghp_\*+$/), 'two']);
  });

  it('[LI4] does not block other clients while it is masked', async () => {
    server = await TestServer.start();
    // Letters that a sequence repeats 9999 times, which masking expands.
    const script = `perl -e 'print "a\\e[9999b" x 20000, "\\n" for 1..15'`;
    const key = await run(await server.client('agent'), script);
    const observer = await server.client('observer');
    const cpuMs = (): number => process.cpuUsage().user / 1000;
    const turns: number[] = [];
    let last = cpuMs();
    let isOver = false;
    const turn = (): void => {
      turns.push(cpuMs() - last);
      last = cpuMs();
      if (!isOver) setImmediate(turn);
    };
    turn();
    const { rows } = await lines(observer, { key, limit: 2000 });
    isOver = true;
    expect(rows).toHaveLength(15);
    expect(Math.max(...turns)).toBeLessThan(0.5 * turns.reduce((sum, each) => sum + each, 0));
  }, 120_000);
});
