// Tests of sessions over real sockets with real processes: rules SE, DE, EL and PR as a client sees them.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
const limits = { sessionTtlMs: 300, closedTtlMs: 300, catchUpMs: 2000, retainedBytes: 400_000 };
beforeEach(async () => {
  server = await TestServer.start(limits);
});
afterEach(() => server.stop());

interface Page {
  chunks: { seq: number; chunk: string }[];
  nextSeq: number;
  exited: boolean;
  exitCode: number | null;
  closed: boolean;
}
const bytesOf = (page: Page): Buffer =>
  Buffer.concat(page.chunks.map(({ chunk }) => Buffer.from(chunk, 'base64')));

/** Checks that the events of a process have arrived in order of their seqs, without gaps. */
function expectInOrder(client: TestClient, processId: string): void {
  const seqs = client.events(processId).map(({ params }) => params?.['seq']);
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
}

describe('The handshake', () => {
  it('[SE1] must precede other methods, but unknown methods and wrong params are reported first', async () => {
    const client = await server.open();
    await expect(client.request('process/terminate', { processId: 'x' })).rejects.toMatchObject({
      code: -32600,
    });
    await expect(client.request('process/terminate', {})).rejects.toMatchObject({ code: -32602 });
    await expect(client.request('no/such')).rejects.toMatchObject({ code: -32601 });
    await expect(client.request('constructor')).rejects.toMatchObject({ code: -32601 });
    await client.request('initialize', { clientName: 'x' });
    await expect(client.request('process/terminate', { processId: 'x' })).rejects.toMatchObject({
      code: -32600,
    });
  });

  it("returns the protocol version, the role and the connection's label", async () => {
    const client = await server.open('operator');
    expect(await client.initialize()).toMatchObject({
      protocolVersion: 'exec-server.v0',
      console: { version: 'test', role: 'operator', connection: expect.stringMatching(/^c-/) },
    });
  });

  it('the error for wrong params names the field', async () => {
    const client = await server.client();
    const path = 'file:///etc/hostname';
    await client.request('fs/readFile', { path });
    await expect(client.request('fs/readFile', { path: 5 })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('params.path'),
    });
  });
});

describe('Resuming a session', () => {
  it('[SE2] is refused while the session is attached', async () => {
    const a = await server.client();
    const b = await server.open();
    await expect(b.initialize(a.sessionId)).rejects.toMatchObject({ code: -32010 });
    await b.initialize();
  });

  it('[SE3] is refused to all identities except the one that created it', async () => {
    const a = await server.client('agent');
    await a.cut();
    const b = await server.open('operator');
    await expect(b.initialize(a.sessionId)).rejects.toMatchObject({ code: -32600 });
  });

  it('[SE4] is refused when it has expired, and its processes have been terminated', async () => {
    const a = await server.client();
    const { processId } = await a.start(['/bin/sh', '-c', 'echo $$; exec sleep 1000']);
    await a.waitOutput(processId, '\n');
    const pid = Number(a.output(processId).toString());
    const watcher = await server.client('observer');
    await watcher.request('console/watch', {});
    await a.cut();
    await watcher.until(
      () =>
        watcher.log.some(
          ({ params }) => (params?.['removed'] as { sessions: string[] } | undefined)?.sessions.length === 1,
        ),
      'the end of the session',
    );
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
    const b = await server.open();
    await expect(b.initialize(a.sessionId)).rejects.toMatchObject({ code: -32600 });
  });

  it('[SE7] ends a long poll of the lost connection, and continues from the same place', async () => {
    const a = await server.client();
    const { processId } = await a.start(['/bin/cat'], { pipeStdin: true });
    a.send({ id: 'held', method: 'process/read', params: { processId, waitMs: 60_000 } });
    await a.write({ processId }, 'one\n');
    await a.waitOutput(processId, 'one\n');
    await a.cut();
    const b = await server.client('agent', a.sessionId);
    await b.write({ processId }, 'two\n');
    await b.waitOutput(processId, 'two\n');
    const page = await b.request<Page>('process/read', { processId });
    expect(bytesOf(page).toString()).toBe('one\ntwo\n');
  });

  it('[EL7] holds back a flood until the owner has read the unread output', async () => {
    const a = await server.client();
    const script = 'echo start; read go; while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done';
    const { processId } = await a.start(['/bin/sh', '-c', script], { pipeStdin: true });
    await a.waitOutput(processId, 'start');
    await a.write({ processId }, 'go\n');
    await a.waitOutput(processId, 'xxxx');
    await a.cut();
    const b = await server.client('agent', a.sessionId);
    const first = await b.request<Page>('process/read', { processId, maxBytes: 1 });
    // Pushes stop at the pause limit while this page is being requested, so the next seq is still retained.
    const second = await b.request<Page>('process/read', { processId, afterSeq: first.nextSeq - 1 });
    expect(second.chunks[0]?.seq).toBe(first.nextSeq);
    const pushed = b.events(processId).map(({ params }) => Number(params?.['seq']));
    await b.until(() => b.events(processId).length > pushed.length + 20, 'more pushes after the read');
    const seqs = b.events(processId).map(({ params }) => Number(params?.['seq']));
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i));
  });
});

describe('The id of a closed process', () => {
  it('[SE5] is free again after closedTtlMs, and its clean-up does not affect a new process of that id', async () => {
    const client = await server.client();
    await client.start(['/bin/true'], { processId: 'p' });
    await client.waitEvent('p', 'process/closed');
    await expect(client.start(['/bin/true'], { processId: 'p' })).rejects.toMatchObject({ code: -32600 });
    await expect
      .poll(
        () =>
          client.request('process/read', { processId: 'p' }).catch((error: { code: number }) => error.code),
        { timeout: 5000 },
      )
      .toBe(-32600);
    await client.start(['/bin/sleep', '1000'], { processId: 'p' });
    const before = await client.request<Page>('process/read', { processId: 'p', waitMs: 700 });
    expect(before).toMatchObject({ exited: false, nextSeq: 1 });
  });
});

describe('Output', () => {
  it('[DE1][EL8] arrives in the order of seqs, with exited and closed in their places', async () => {
    const client = await server.client();
    const script = 'echo out; echo err >&2; (sleep 0.3; echo late) & exit 7';
    const { processId } = await client.start(['/bin/sh', '-c', script]);
    await client.waitEvent(processId, 'process/closed');
    expectInOrder(client, processId);
    const kinds = client.events(processId).map(({ method }) => method);
    expect(kinds.at(-1)).toBe('process/closed');
    expect(kinds.at(-2)).toBe('process/output');
    expect((await client.waitEvent(processId, 'process/exited')).params).toMatchObject({
      exitCode: 7,
      sandboxDenied: false,
    });
  });

  it('[DE4] is never lost for an owner that stops reading for a while', async () => {
    const client = await server.client();
    const script = 'seq 1 100000000 | head -c 20000000; echo; echo end';
    const { processId } = await client.start(['/bin/sh', '-c', script]);
    await client.until(() => client.events(processId).length > 3, 'the first output');
    client.ws.pause();
    // Work of another connection continues during the pause and determines its length.
    const other = await server.client();
    const { processId: busy } = await other.start(['/bin/sh', '-c', 'seq 1 200000']);
    await other.waitEvent(busy, 'process/closed');
    client.ws.resume();
    await client.waitEvent(processId, 'process/closed');
    expectInOrder(client, processId);
    expect(client.output(processId).length).toBe(20_000_005);
  });

  it('[DE4][EL7] is never lost for an owner, even if little is retained and much is waiting', async () => {
    const small = await TestServer.start({ ...limits, retainedBytes: 20_000, retainedEvents: 10 });
    const client = await small.client();
    const script = 'for i in $(seq 1 300); do echo out; echo err >&2; done; seq 1 50000';
    const { processId } = await client.start(['/bin/sh', '-c', script]);
    client.ws.pause();
    // Both the unread output and the output that the socket accepts during the pause exceed the retained output.
    const other = await small.client();
    const { processId: busy } = await other.start(['/bin/sh', '-c', 'seq 1 20000']);
    await other.waitEvent(busy, 'process/closed');
    client.ws.resume();
    await client.waitEvent(processId, 'process/closed');
    expectInOrder(client, processId);
    expect(client.output(processId).length).toBe(300 * 8 + 288_894);
    await small.stop();
  });

  it('[DE5] is not held back while the session is detached', async () => {
    const a = await server.client();
    const script = 'read go; seq 1 100000000 | head -c 5000000; echo done > "$1"';
    const marker = `/tmp/exec-console-test-${process.pid}-${Date.now()}`;
    const { processId } = await a.start(['/bin/sh', '-c', script, 'sh', marker], { pipeStdin: true });
    await a.write({ processId }, 'go\n');
    await a.cut();
    const b = await server.client('agent', a.sessionId);
    const page = await b.request<Page>('process/read', { processId, waitMs: 0 });
    await b.waitEvent(processId, 'process/closed');
    expect(page.nextSeq).toBeGreaterThanOrEqual(1);
    const last = await b.request<Page>('process/read', { processId });
    expect(bytesOf(last).length).toBeLessThanOrEqual(limits.retainedBytes);
  });
});

describe('Frames', () => {
  it('[SE6] a binary frame counts as text when it is UTF-8, and as malformed otherwise', async () => {
    const client = await server.client();
    client.ws.send(Buffer.from('{"id":"text","method":"environment/status"}'));
    await client.until(() => client.log.some(({ id }) => id === 'text'), 'the answer');
    client.ws.send(Buffer.from('{"id":"bytes","method":"environment/status","x":"\u00ff"}', 'latin1'));
    const reply = await client.until(() => client.log.find(({ id }) => id === -1), 'the refusal');
    expect(reply.error?.code).toBe(-32600);
  });
});

describe('Requests', () => {
  it('a waiting read does not delay other requests', async () => {
    const client = await server.client();
    const { processId } = await client.start(['/bin/sleep', '1000']);
    client.send({ id: 'held', method: 'process/read', params: { processId, waitMs: 60_000 } });
    expect(await client.request('environment/status')).toEqual({ status: 'ready' });
    expect(client.log.some(({ id }) => id === 'held')).toBe(false);
  });

  it('[PR2] a process that never reads its stdin delays only its own writes', async () => {
    const client = await server.client();
    const { processId } = await client.start(['/bin/sleep', '1000'], { pipeStdin: true });
    const chunk = Buffer.alloc(200_000, 'x').toString('base64');
    const all = 80;
    for (let i = 0; i < all; i += 1) {
      client.send({ id: `w${i}`, method: 'process/write', params: { processId, chunk, writeId: String(i) } });
    }
    expect(await client.request('environment/status')).toEqual({ status: 'ready' });
    expect(client.log.filter(({ id }) => String(id).startsWith('w')).length).toBeLessThan(all);
    expect(await client.request('process/terminate', { processId })).toEqual({ running: true });
    await client.until(
      () => client.log.filter(({ id }) => String(id).startsWith('w')).length === all,
      'all answers',
    );
  });

  it('200 starts and 1000 small requests at once are all answered', async () => {
    const client = await server.client();
    const starts = Array.from({ length: 200 }, (_, i) => client.start(['/bin/echo', `n${i}`]));
    const small = Array.from({ length: 1000 }, () => client.request('environment/status'));
    const started = await Promise.all(starts);
    await Promise.all(small);
    for (const [i, { processId }] of started.entries()) {
      await client.waitEvent(processId, 'process/closed');
      expect(client.output(processId).toString()).toBe(`n${i}\n`);
    }
  });

  it('[PR1] a writeId is written once, even after a resume and with other content', async () => {
    const a = await server.client();
    const { processId } = await a.start(['/bin/cat'], { pipeStdin: true });
    await a.write({ processId }, 'one\n', '1');
    await a.waitOutput(processId, 'one\n');
    await a.cut();
    const b = await server.client('agent', a.sessionId);
    expect(await b.write({ processId }, 'other\n', '1')).toEqual({ status: 'accepted' });
    await b.write({ processId }, 'two\n', '2');
    await b.waitOutput(processId, 'two\n');
    expect(b.output(processId).toString()).toBe('two\n');
  });

  it('[PR1] a write to an ended or unknown process is answered with stdinClosed or unknownProcess', async () => {
    const client = await server.client();
    const { processId } = await client.start(['/bin/true'], { pipeStdin: true });
    await client.waitEvent(processId, 'process/closed');
    expect(await client.write({ processId }, 'x')).toEqual({ status: 'stdinClosed' });
    expect(await client.write({ processId: 'nobody' }, 'x')).toEqual({ status: 'unknownProcess' });
  });

  it('[PR1] an accepted write is accepted again when it is repeated after the end of stdin or of the process', async () => {
    const client = await server.client();
    const { processId } = await client.start(['/bin/sh', '-c', 'read line; echo $line; exec cat'], {
      pipeStdin: true,
    });
    await client.write({ processId }, 'taken\n', '1');
    await client.waitOutput(processId, 'taken');
    await client.request('process/closeStdin', { processId });
    expect(await client.write({ processId }, 'taken\n', '1')).toEqual({ status: 'accepted' });
    await client.waitEvent(processId, 'process/closed');
    expect(await client.write({ processId }, 'taken\n', '1')).toEqual({ status: 'accepted' });
    expect(await client.write({ processId }, 'late\n', '2')).toEqual({ status: 'stdinClosed' });
    expect(client.output(processId).toString()).toBe('taken\n');
  });

  it.each([
    [{ sandbox: { permissions: {} } }, -32602],
    [{ enforceManagedNetwork: true }, -32600],
  ])('[PR6] a start with %j is rejected before anything is started', async (asked, code) => {
    const client = await server.client();
    const start = client.start(['/bin/true'], { processId: 'p', ...asked });
    await expect(start).rejects.toMatchObject({
      code,
      message: expect.stringContaining(Object.keys(asked)[0] ?? ''),
    });
    await expect(client.request('process/read', { processId: 'p' })).rejects.toMatchObject({
      code: -32600,
    });
  });

  it('[PR3] an interrupt reaches the foreground job of a shell, and not the shell', async () => {
    const client = await server.client();
    const { processId } = await client.start(['/bin/bash', '--norc', '--noprofile', '-i'], { tty: true });
    await client.write({ processId }, `sh -c 'echo job-$((40+2)); exec sleep 1000'\n`);
    await client.waitOutput(processId, 'job-42');
    await client.request('process/signal', { processId, signal: 'interrupt' });
    await client.write({ processId }, 'echo alive-$((1+1))\n');
    await client.waitOutput(processId, 'alive-2');
    expect(client.events(processId).some(({ method }) => method === 'process/exited')).toBe(false);
  });

  it('process/closeStdin closes a pipe after earlier writes', async () => {
    const client = await server.client();
    const { processId } = await client.start(['/bin/cat'], { pipeStdin: true });
    await client.write({ processId }, 'last words');
    expect(await client.request('process/closeStdin', { processId })).toEqual({ status: 'accepted' });
    await client.waitEvent(processId, 'process/closed');
    expect(client.output(processId).toString()).toBe('last words');
    expect(await client.request('process/closeStdin', { processId })).toEqual({ status: 'stdinClosed' });
  });

  it('process/wait is answered at the exit, or at the end of all output', async () => {
    const client = await server.client();
    const { processId } = await client.start(['/bin/sh', '-c', '(sleep 0.4; echo late) & exit 3']);
    const exited = await client.request('process/wait', { processId, until: 'exited', waitMs: 10_000 });
    expect(exited).toEqual({ exited: true, exitCode: 3, closed: false });
    expect(await client.request('process/wait', { processId, waitMs: 10_000 })).toMatchObject({
      closed: true,
    });
    expect(client.output(processId).toString()).toBe('late\n');
  });
});
