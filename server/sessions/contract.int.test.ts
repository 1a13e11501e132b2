// Tests of the exec-server contract in docs/protocol.md, row by row, over a real socket with real processes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let client: TestClient;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'contract-'));
  server = await TestServer.start({ retainedBytes: 100_000 });
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});
beforeEach(async () => {
  client = await server.client();
});
afterEach(() => client.cut());

interface Page {
  readonly chunks: { readonly seq: number; readonly stream: string; readonly chunk: string }[];
  readonly nextSeq: number;
}
const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const read = (params: object) => client.request<Page>('process/read', params);
const textOf = ({ chunks }: Page): string =>
  Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk, 'base64'))).toString();
const START = { processId: 'p', argv: ['/bin/true'], cwd: 'file:///tmp', env: {}, tty: false };

/** Runs a process to its end; returns its id, output and exit code. */
async function run(argv: string[], params: object = {}) {
  const { processId } = await client.start(argv, { ...params });
  await client.waitEvent(processId, 'process/closed');
  const { exitCode } = (await client.waitEvent(processId, 'process/exited')).params ?? {};
  return { processId, output: client.output(processId).toString(), exitCode };
}

describe('initialize', () => {
  it('succeeds only once, and can be repeated after it has failed', async () => {
    await expect(client.request('initialize', { clientName: 'x' })).rejects.toMatchObject({ code: -32600 });
    const other = await server.open();
    await expect(other.request('initialize', {})).rejects.toMatchObject({ code: -32602 });
    await expect(other.initialize('nobody')).rejects.toMatchObject({ code: -32600 });
    expect(await other.initialize()).toMatchObject({
      sessionId: expect.any(String),
      environmentInfo: { shell: { name: expect.any(String), path: expect.stringMatching(/^\//) } },
    });
    await other.cut();
  });

  it('can be sent together with initialized and further requests, without waiting', async () => {
    const other = await server.open();
    other.send({ id: 1, method: 'initialize', params: { clientName: '', resumeSessionId: null } });
    other.send({ method: 'initialized', params: null });
    other.send({ method: 'initialized' });
    other.send({ id: 2, method: 'environment/status' });
    await other.until(
      () => other.log.some(({ id, result }) => id === 2 && result !== undefined),
      'the status',
    );
    await other.cut();
  });

  it.each([undefined, null, {}])('environment/* methods accept the empty params %j', async (params) => {
    expect(await client.request('environment/status', params)).toEqual({ status: 'ready' });
    expect(await client.request('environment/info', params)).toHaveProperty('shell.path');
  });
  it.each([[[]], ['x'], [{ a: 1 }]])('environment/* methods reject the params %j', async (params) => {
    await expect(client.request('environment/status', params)).rejects.toMatchObject({ code: -32602 });
    await expect(client.request('environment/info', params)).rejects.toMatchObject({ code: -32602 });
  });
});

describe('process/start', () => {
  it.each([
    ['no argv', { argv: [] }],
    ['argv that is not a list', { argv: 'true' }],
    ['no processId', { processId: undefined }],
    ['a plain path as cwd', { cwd: '/tmp' }],
    ['a cwd on another host', { cwd: 'file://elsewhere/tmp' }],
    ['another scheme', { cwd: 'http://localhost/tmp' }],
    ['no env', { env: undefined }],
    ['env with a number', { env: { A: 1 } }],
    ['tty null', { tty: null }],
    ['pipeStdin null', { pipeStdin: null }],
    ['a sandbox without permissions', { sandbox: {} }],
    ['half an envPolicy', { envPolicy: { inherit: 'all' } }],
    [
      'an unknown inherit',
      { envPolicy: { inherit: 'All', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] } },
    ],
  ])('rejects %s with -32602', async (_what, params) => {
    await expect(client.request('process/start', { ...START, ...params })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it.each([
    ['a missing program', { argv: ['/proc/none'] }],
    ['a name that is not in PATH', { argv: ['true'], env: { PATH: '/nowhere' } }],
    ['a folder', { argv: ['/tmp'] }],
    ['a file that is not executable', { argv: ['/etc/passwd'] }],
    ['an empty name', { argv: [''] }],
    ['a NUL in argv', { argv: ['/bin/true', 'a\0b'] }],
    ['a NUL in env', { env: { A: 'a\0b' } }],
    ['a missing cwd', { cwd: 'file:///proc/none' }],
    ['a cwd that is a file', { cwd: 'file:///etc/hostname' }],
  ])('rejects %s with -32603, with and without a tty, and leaves the id free', async (_what, params) => {
    for (const tty of [false, true]) {
      await expect(client.request('process/start', { ...START, tty, ...params })).rejects.toMatchObject({
        code: -32603,
      });
    }
    await client.request('process/start', START);
    await client.waitEvent('p', 'process/closed');
    await expect(client.request('process/start', START)).rejects.toMatchObject({ code: -32600 });
  });

  it('finds the working directory by any spelling of its URI', async () => {
    const folder = join(dir, 'földer with blanks & 100 %');
    mkdirSync(folder);
    const uri = pathToFileURL(folder).href;
    for (const cwd of [uri, uri.replace('file:///', 'file://localhost/'), `${uri}/x/../.`]) {
      expect((await run(['/bin/pwd'], { cwd })).output).toBe(`${folder}\n`);
    }
  });

  it.each([false, true])('passes arg0 to the program, tty %j', async (tty) => {
    expect((await run(sh('echo $0'), { arg0: 'another', tty })).output.trim()).toBe('another');
  });

  it('accepts any string as processId', async () => {
    for (const processId of ['', ' ', 'ü/…', 'x'.repeat(5000)]) {
      expect(await client.start(['/bin/true'], { processId })).toMatchObject({
        processId,
        sandboxType: 'none',
      });
      await client.waitEvent(processId, 'process/closed');
    }
  });
});

describe('The exit code', () => {
  it.each([
    ['exit 0', 0],
    ['exit 255', 255],
    ['kill -INT $$', 130],
    ['kill -KILL $$', 137],
    ['kill -TERM $$', 143],
    ['kill -HUP $$', 129],
    ['kill -PIPE $$', 141],
  ])('after `%s` is %i', async (script, code) => {
    expect((await run(sh(script))).exitCode).toBe(code);
  });

  it('is event 1 of a silent process, and closed is event 2', async () => {
    const { processId } = await run(['/bin/true']);
    expect(client.events(processId).map(({ method, params }) => [method, params?.['seq']])).toEqual([
      ['process/exited', 1],
      ['process/closed', 2],
    ]);
    expect(client.events(processId)[0]?.params).toMatchObject({ sandboxDenied: false });
  });
});

describe('process/read', () => {
  it('returns an empty page for an idle process', async () => {
    const { processId } = await client.start(['/bin/sleep', '1000']);
    expect(await read({ processId })).toEqual({
      chunks: [],
      nextSeq: 1,
      exited: false,
      exitCode: null,
      closed: false,
      failure: null,
      sandboxDenied: false,
    });
    expect(await read({ processId, afterSeq: null, maxBytes: null, waitMs: 20 })).toMatchObject({
      nextSeq: 1,
    });
  });

  it('[RD1][RD2] pages by maxBytes, with at least one whole chunk per page, and can read the same output again', async () => {
    const { processId, output } = await run(sh('for i in 1 2 3 4 5; do echo line $i; echo err $i >&2; done'));
    const pages: Page[] = [];
    for (let afterSeq = 0; ; afterSeq = (pages.at(-1)?.nextSeq ?? 1) - 1) {
      const page = await read({ processId, afterSeq, maxBytes: 1 });
      if (page.chunks.length === 0) break;
      expect(page.chunks).toHaveLength(1);
      expect(page.nextSeq).toBe((page.chunks[0]?.seq ?? 0) + 1);
      pages.push(page);
    }
    expect(pages.map(textOf).join('')).toBe(output);
    const whole = await read({ processId });
    expect(textOf(whole)).toBe(output);
    expect(whole).toMatchObject({
      exited: true,
      exitCode: 0,
      closed: true,
      nextSeq: whole.chunks.length + 3,
    });
    expect(whole.chunks.map(({ seq }) => seq)).toEqual(pages.map(({ nextSeq }) => nextSeq - 1));
  });

  it('[RD3] waits for new output or the exit, but returns at once for past events', async () => {
    const { processId } = await client.start(sh('echo first; read line; echo second; read line'), {
      pipeStdin: true,
    });
    await client.waitOutput(processId, 'first');
    const { nextSeq } = await read({ processId });
    const held = read({ processId, afterSeq: nextSeq - 1, waitMs: 60_000 });
    await client.write({ processId }, '\n');
    expect(textOf(await held)).toBe('second\n');
    const end = read({ processId, afterSeq: nextSeq, waitMs: 60_000 });
    await client.write({ processId }, '\n');
    expect(await end).toMatchObject({ chunks: [], exited: true });
    expect(await read({ processId, afterSeq: 1000, waitMs: 60_000 })).toMatchObject({
      chunks: [],
      closed: true,
    });
  });

  it.each([{ afterSeq: -1 }, { afterSeq: 1.5 }, { maxBytes: '1' }, { waitMs: -5 }])(
    'rejects %j',
    async (params) => {
      await expect(read({ processId: 'p', ...params })).rejects.toMatchObject({ code: -32602 });
      await expect(read({ processId: 'unknown' })).rejects.toMatchObject({ code: -32600 });
    },
  );

  it('returns the oldest retained output to a reader whose next output is evicted', async () => {
    const { processId } = await run(sh('seq 1 100000'));
    const page = await read({ processId });
    expect(page.chunks[0]?.seq).toBeGreaterThan(1);
    expect(textOf(page)).toMatch(/100000\n$/);
    expect(textOf(page).length).toBeLessThanOrEqual(100_000);
  });
});

describe('process/write', () => {
  it.each([
    ['bad base64', { chunk: '!' }],
    ['no padding', { chunk: 'YQ' }],
    ['an empty writeId', { writeId: '' }],
    ['no writeId', { writeId: undefined }],
  ])('rejects %s', async (_what, params) => {
    await expect(
      client.request('process/write', { processId: 'p', chunk: '', writeId: '1', ...params }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  it('returns the status of the write', async () => {
    expect(await client.write({ processId: 'nobody' }, 'x')).toEqual({ status: 'unknownProcess' });
    const deaf = await client.start(['/bin/sleep', '1000']);
    expect(await client.write({ processId: deaf.processId }, 'x')).toEqual({ status: 'stdinClosed' });
    const cat = await client.start(['/bin/cat'], { pipeStdin: true });
    expect(await client.write({ processId: cat.processId }, '')).toEqual({ status: 'accepted' });
    expect(await client.write({ processId: cat.processId }, 'x')).toEqual({ status: 'accepted' });
    await client.waitOutput(cat.processId, 'x');
  });
});

describe('process/terminate and process/signal', () => {
  it.each([
    [false, 137],
    [true, 137],
  ])('terminate sends SIGKILL to the process group once, with tty %j', async (tty, code) => {
    const { processId } = await client.start(sh('trap "" TERM HUP; sleep 1000 & echo $!; wait'), { tty });
    await client.waitOutput(processId, '\n');
    expect(await client.request('process/terminate', { processId })).toEqual({ running: true });
    expect((await client.waitEvent(processId, 'process/exited')).params).toMatchObject({ exitCode: code });
    await client.waitEvent(processId, 'process/closed');
    expect(await client.request('process/terminate', { processId })).toEqual({ running: false });
    expect(await client.request('process/terminate', { processId: 'nobody' })).toEqual({ running: false });
  });

  it('an interrupt reaches the process group, and is ignored for ended and unknown processes', async () => {
    const { processId } = await client.start(
      sh('trap "echo caught; exit 7" INT; echo ready; while :; do sleep 0.02; done'),
    );
    await client.waitOutput(processId, 'ready');
    expect(await client.request('process/signal', { processId, signal: 'interrupt' })).toEqual({});
    expect((await client.waitEvent(processId, 'process/exited')).params).toMatchObject({ exitCode: 7 });
    expect(await client.request('process/signal', { processId, signal: 'interrupt' })).toEqual({});
    expect(await client.request('process/signal', { processId: 'nobody', signal: 'interrupt' })).toEqual({});
    await expect(client.request('process/signal', { processId, signal: 'kill' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('[CO2] both reach only processes of their own session', async () => {
    const { processId } = await client.start(['/bin/sleep', '1000']);
    const other = await server.client();
    await expect(other.request('process/read', { processId })).rejects.toMatchObject({ code: -32600 });
    expect(await other.request('process/terminate', { processId })).toEqual({ running: false });
    await other.start(['/bin/true'], { processId });
    await other.waitEvent(processId, 'process/closed');
    expect(client.events(processId)).toEqual([]);
    await other.cut();
  });
});
