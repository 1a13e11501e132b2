// Tests of recordings of real processes: read, listed, searched and removed, by the same gateway or the next one
// with the same folder.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AuditResult } from '../../protocol/audit.ts';
import type { SnapshotResult, StartResult as Started } from '../../protocol/console.ts';
import type { HistoryEntry, HistoryResult } from '../../protocol/history.ts';
import type { TestClient } from '../testing/test-client.ts';
import { ENV, finishedIn, list, run, searched } from '../testing/past-runs.ts';
import { recordedOutput } from '../testing/recorded-output.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

/** Number of lines, more than a log retains in memory. */
const LINES = 200_000;
const COUNTED = `for ((i=1;i<=${LINES};i++)); do echo "line $i of the log"; done`;
const countedText = (): string =>
  Array.from({ length: LINES }, (_, at) => `line ${at + 1} of the log\n`).join('');

const finished = (client: TestClient, key: string): Promise<HistoryEntry> =>
  finishedIn(recordings(), client, key);

const recordings = (): string => join(server.stateDir, 'rec');
/** Returns the path of a recording's folder; a short recording has only a file, and no folder exists at this path. */
const folderOf = (key: string): string => {
  const has = (name: string): boolean =>
    readdirSync(join(recordings(), name)).some((each) => each.startsWith(key));
  const month = readdirSync(recordings()).find((name) => /^\d{4}-\d\d$/.test(name) && has(name));
  return join(recordings(), month ?? '', key);
};

describe('A recording', () => {
  it('[HS1] has every byte of a process whose log retains only its end, for the next gateway too', async () => {
    server = await TestServer.start();
    const key = await run(await server.client('agent'), `${COUNTED}; echo oops >&2; exit 3`);
    const operator = await server.client('operator');
    const whole = await recordedOutput(operator, key);
    expect(whole).toEqual({ text: `${countedText()}oops\n`, missed: 0 });
    await server.restart();
    const next = await server.client('operator');
    expect(await recordedOutput(next, key)).toEqual(whole);
    expect(await list(next)).toEqual([
      expect.objectContaining({
        key,
        state: 'closed',
        exitCode: 3,
        startedBy: 'the agent',
        clientName: 'test',
        outputBytes: whole.text.length,
      }),
    ]);
  }, 120_000);

  it('[HS2] keeps seqs, chunks, streams, times and sizes as they were', async () => {
    server = await TestServer.start();
    const key = await run(
      await server.client('agent'),
      'echo one; sleep 0.2; echo two >&2; sleep 0.2; printf 3',
      {
        tty: false,
      },
    );
    const operator = await server.client('operator');
    const live = await operator.request('process/read', { key });
    await finished(operator, key);
    await server.restart();
    const past = await (await server.client('operator')).request('process/read', { key });
    expect(past).toEqual(live);
  });

  it('[HS3] can be attached and has the screen of a terminal', async () => {
    server = await TestServer.start();
    const key = await run(await server.client('agent'), String.raw`printf 'red \e[31mapple\e[0m'`, {
      tty: true,
      size: { rows: 7, cols: 33 },
    });
    await finished(await server.client('operator'), key);
    await server.restart();
    const operator = await server.client('operator');
    const attached = await operator.request('process/attach', { key, afterSeq: 0 });
    expect(attached).toMatchObject({ size: { rows: 7, cols: 33 }, firstRetainedSeq: 1 });
    const snapshot = await operator.request<SnapshotResult>('process/snapshot', { key });
    expect(snapshot).toMatchObject({ rows: 7, cols: 33, exact: true });
    expect(Buffer.from(snapshot.data, 'base64').toString()).toContain('apple');
  });

  it.each([
    ['short', 'read line; echo done'],
    ['long', 'read line; sleep 0.3; echo done'],
  ])(
    '[HS4] has no environment and no input, and can be read only by the owner: %s',
    async (processId, script) => {
      server = await TestServer.start();
      const agent = await server.client('agent');
      const env = { ...ENV, SECRET_OF_ENV: 'environment-value' };
      const { key } = await agent.request<Started>('process/start', {
        processId,
        argv: ['bash', '-c', script],
        cwd: 'file:///tmp',
        env,
        tty: false,
        pipeStdin: true,
      });
      const chunk = Buffer.from('typed-secret\n').toString('base64');
      await agent.request('process/write', { processId, writeId: '1', chunk });
      await agent.request('process/wait', { processId, until: 'closed', waitMs: 20_000 });
      await finished(await server.client('operator'), key);
      const month = dirname(folderOf(key));
      expect(statSync(month).mode & 0o777).toBe(0o700);
      const names = readdirSync(month, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.startsWith(key),
      );
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const path = join(month, name);
        const isFolder = statSync(path).isDirectory();
        expect(statSync(path).mode & 0o777).toBe(isFolder ? 0o700 : 0o600);
        if (!isFolder) expect(readFileSync(path, 'latin1')).not.toMatch(/environment-value|typed-secret/);
      }
    },
  );

  it('[HS5] keeps the beginning and the end beyond its limit, and counts the gap', async () => {
    server = await TestServer.start({
      recordSegmentBytes: 256 * 1024,
      recordFirstBytes: 512 * 1024,
      recordProcessBytes: 2 * 1024 * 1024,
    });
    const key = await run(await server.client('agent'), COUNTED);
    const operator = await server.client('operator');
    const { recordedBytes, outputBytes } = await finished(operator, key);
    expect(recordedBytes).toBeLessThan(4 * 1024 * 1024);
    await server.restart();
    const { text, missed } = await recordedOutput(await server.client('operator'), key);
    expect(text.length + missed).toBe(outputBytes);
    expect(missed).toBeGreaterThan(500_000);
    const whole = countedText();
    const [head] = text.split('\n', 1);
    expect(head).toBe('line 1 of the log');
    expect(text.slice(0, 512 * 1024)).toBe(whole.slice(0, 512 * 1024));
    expect(whole.endsWith(text.slice(-1024 * 1024))).toBe(true);
  }, 120_000);

  it('[HS6] loses only a damaged record, and never prevents the gateway from starting', async () => {
    server = await TestServer.start();
    const agent = await server.client('agent');
    const key = await run(agent, 'echo first; sleep 0.3; echo second; sleep 0.3; echo third');
    const other = await run(agent, 'echo other');
    const operator = await server.client('operator');
    await finished(operator, key);
    await finished(operator, other);
    const path = join(folderOf(key), '00000001.xcr');
    const bytes = readFileSync(path);
    const at = bytes.indexOf('second');
    bytes[at] = 0;
    await server.restart(() => {
      writeFileSync(path, bytes);
      writeFileSync(`${folderOf(other)}.xcr`, 'torn');
      writeFileSync(join(recordings(), 'open', 'foreign'), 'no note');
      appendFileSync(
        join(recordings(), readdirSync(recordings())[0] ?? '', 'catalog.jsonl'),
        'no line\n{"half',
      );
    });
    const next = await server.client('operator');
    expect(await recordedOutput(next, key)).toEqual({ text: 'first\nthird\n', missed: 7 });
    expect((await list(next)).map((entry) => entry.key).toSorted()).toEqual([key, other].toSorted());
    expect(server.defects).toEqual([]);
  });

  it('[HS14] is listed once, at whatever step the gateway was killed while finishing it', async () => {
    server = await TestServer.start();
    const key = await run(await server.client('agent'), 'echo done; exit 3');
    await finished(await server.client('operator'), key);
    const catalog = join(folderOf(key), '..', 'catalog.jsonl');
    const note = JSON.stringify({ owner: { pid: 1, startTime: -1 }, month: folderOf(key).split('/').at(-2) });
    const listed = async () => (await list(await server.client('operator'))).map(({ exitCode }) => exitCode);
    // The state after a kill between writing the entry and removing the note.
    await server.restart(() => writeFileSync(join(recordings(), 'open', key), note));
    expect(await listed()).toEqual([3]);
    // The state after a kill before the entry was written.
    await server.restart(() => {
      writeFileSync(join(recordings(), 'open', key), note);
      writeFileSync(catalog, '');
    });
    await expect.poll(listed).toEqual([3]);
    await expect.poll(() => existsSync(join(recordings(), 'open', key))).toBe(false);
  });

  it('[HS7] is omitted for a person who opted out, but not for an agent that asks for that', async () => {
    server = await TestServer.start();
    const [agent, operator] = await Promise.all([server.client('agent'), server.client('operator')]);
    const opted = await run(agent, 'echo agent', { recorded: false });
    await finished(operator, opted);
    const start = { argv: ['bash', '-c', 'echo secret'], cwd: 'file:///tmp', env: ENV, tty: false };
    const { key } = await operator.request<Started>('process/start', {
      ...start,
      processId: 'person',
      session: 'console',
      recorded: false,
    });
    await operator.request('process/wait', { key, until: 'closed', waitMs: 60_000 });
    const unrecorded = expect.objectContaining({ key, notRecorded: true, recordedBytes: 0 }) as unknown;
    expect(await list(operator)).toEqual([unrecorded, expect.objectContaining({ key: opted })]);
    const { key: again } = await operator.request<Started>('process/restart', { key, newProcessId: 'again' });
    await operator.request('process/wait', { key: again, until: 'closed', waitMs: 60_000 });
    await server.restart();
    const next = await server.client('operator');
    expect((await list(next)).map((entry) => entry.key)).toEqual([opted]);
    expect(await searched(next, { query: 'secret' })).toEqual([]);
    expect(readdirSync(recordings(), { recursive: true }).join(' ')).not.toContain(key);
  });

  it('[HS7] does not exist with --record off', async () => {
    server = await TestServer.start({}, { record: false });
    const key = await run(await server.client('agent'), 'echo x');
    const operator = await server.client('operator');
    expect(await list(operator)).toEqual([expect.objectContaining({ key, recordedBytes: 0 })]);
    await server.restart();
    expect(await list(await server.client('operator'))).toEqual([]);
  });
});

describe('History', () => {
  it('[HS8] is selected by agent, time and failure, and paged without a gap', async () => {
    server = await TestServer.start();
    const agent = await server.client('agent');
    const keys: string[] = [];
    for (const code of [0, 1, 0, 7, 0]) keys.push(await run(agent, `exit ${code}`));
    const operator = await server.client('operator');
    for (const key of keys) await finished(operator, key);
    const own = await run(operator, 'exit 9');
    await finished(operator, own);
    expect((await list(operator, { failed: true })).map(({ exitCode }) => exitCode)).toEqual([9, 7, 1]);
    expect((await list(operator, { agent: 'the agent' })).map(({ key }) => key)).toEqual(keys.toReversed());
    expect(await list(operator, { sinceMs: Date.now() + 1000 })).toEqual([]);
    const paged: string[] = [];
    let before: string | null = null;
    do {
      const params = { limit: 2, ...(before !== null && { before }) };
      const page: HistoryResult = await operator.request('console/history', params);
      paged.push(...page.processes.map(({ key }) => key));
      ({ before } = page);
    } while (before !== null);
    expect(paged).toEqual([own, ...keys.toReversed()]);
  });

  it('[HS9] is searched with line numbers, across chunks, and in running processes', async () => {
    server = await TestServer.start({ recordSegmentBytes: 256 * 1024 });
    const agent = await server.client('agent');
    const key = await run(agent, COUNTED);
    const operator = await server.client('operator');
    await finished(operator, key);
    await agent.request<Started>('process/start', {
      processId: 'live',
      argv: ['bash', '-c', String.raw`printf 'still \e[1mrun\e[0mning\n'; sleep 60`],
      cwd: 'file:///tmp',
      env: ENV,
      tty: false,
    });
    await expect.poll(() => searched(operator, { query: 'STILL running' })).toMatchObject([{ line: 1 }]);
    for (const line of [1, 54_321, LINES]) {
      expect(await searched(operator, { query: `line ${line} of` })).toMatchObject([
        { key, line, text: `line ${line} of the log` },
      ]);
    }
    expect(await searched(operator, { query: String.raw`^line \d{4}7 of`, regex: true })).toHaveLength(9000);
    await expect(operator.request('console/historySearch', { query: '(', regex: true })).rejects.toThrow(
      'params.query',
    );
  }, 120_000);

  it('[HS10] shows observers masked text, finds nothing that is masked, and is closed to guests', async () => {
    server = await TestServer.start({ retainedBytes: 1024 });
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const key = await run(await server.client('agent'), `echo token=${secret}; seq 2000`);
    await finished(await server.client('operator'), key);
    const observer = await server.client('observer');
    expect(await searched(observer, { query: secret.slice(0, 12) })).toEqual([]);
    expect(await searched(observer, { query: 'token=ghp_***' })).toMatchObject([{ key, line: 1 }]);
    const folder = `/tmp/${secret}`;
    mkdirSync(folder);
    const inFolder = await run(await server.client('agent'), 'echo hi', { cwd: `file://${folder}` });
    await finished(await server.client('operator'), inFolder);
    rmSync(folder, { recursive: true });
    expect(await list(observer, { folder })).toEqual([]);
    expect((await list(observer, { folder: `/tmp/ghp_${'*'.repeat(36)}` })).map((each) => each.key)).toEqual([
      inFolder,
    ]);
    const { text } = await recordedOutput(observer, key);
    expect(text).not.toContain(secret);
    expect(text).toContain('token=ghp_***');
    await server.restart();
    expect((await recordedOutput(await server.client('observer'), key)).text).toBe(text);
  });

  it('[HS11] is removed permanently by admins only, except for running processes, and the audit log has their names', async () => {
    // The first write is late, so that a short recording is a single file instead of a folder.
    server = await TestServer.start({ recordFlushMs: 2000 });
    const agent = await server.client('agent');
    const key = await run(agent, 'echo gone');
    const remaining = await run(agent, 'echo kept');
    const running = await agent.request<Started>('process/start', {
      processId: 'live',
      argv: ['sleep', '60'],
      cwd: 'file:///tmp',
      env: ENV,
      tty: false,
    });
    const operator = await server.client('operator');
    await finished(operator, key);
    await finished(operator, remaining);
    await expect(operator.request('console/historyRemove', { keys: [key] })).rejects.toThrow();
    const admin = await server.client('admin');
    await expect(admin.request('console/historyRemove', { keys: [running.key] })).rejects.toThrow(
      'is still running',
    );
    const left = (): readonly string[] =>
      readdirSync(dirname(folderOf(key))).filter((name) => name.startsWith(key));
    expect(left()).toEqual([`${key}.xcr`]);
    expect(await admin.request('console/historyRemove', { keys: [key] })).toMatchObject({ removed: 1 });
    expect(left()).toEqual([]);
    await expect(operator.request('process/read', { key })).rejects.toThrow('unknown process key');
    expect(await operator.request('console/search', { query: 'gone' })).toMatchObject({ hits: [] });
    const { entries } = await admin.request<AuditResult>('console/audit', { act: 'removeHistory' });
    expect(entries.map(({ who }) => who)).toContain('the admin');
    expect(await admin.request('console/historyRemove', { agent: 'the agent' })).toMatchObject({
      removed: 1,
    });
    await server.restart();
    const next = await server.client('admin');
    expect((await list(next)).map((entry) => entry.key)).toEqual([running.key]);
    await expect(next.request('process/read', { key })).rejects.toThrow('unknown process key');
  });
});
