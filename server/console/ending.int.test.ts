// Tests of processes that are ended by people, or by the end of the gateway: rules PR4, PR5 and PR10.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { ReadResult } from '../../protocol/process.ts';
import { latest } from '../testing/latest-info.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
beforeEach(async () => {
  server = await TestServer.start({ shutdownGraceMs: 300 });
  agent = await server.client('agent');
  operator = await server.client('operator');
});
afterEach(() => server.stop());

const BASH = ['/bin/bash', '--norc', '--noprofile', '-i'];

describe('process/terminate by key', () => {
  it('[PR4][PR5][PR13] grants and reports a grace period, names the person, and reports when everything has ended', async () => {
    await operator.request('console/watch', {});
    const { key, processId } = await agent.start([
      '/bin/sh',
      '-c',
      'trap "" TERM; echo ready; while :; do sleep 0.1; done',
    ]);
    await agent.waitOutput(processId, 'ready');
    expect(await operator.request('process/terminate', { key, graceMs: 60_000 })).toEqual({ running: true });
    const during = await operator.until(() => {
      const info = latest(operator, key);
      return info?.terminatingSinceMs && info;
    }, 'the terminating state');
    expect(during).toMatchObject({ allEndedAtMs: null });
    expect(during ? during.killAtMs : 0).toBeGreaterThan(Date.now() + 30_000);
    await operator.request('process/terminate', { key, graceMs: 0 });
    await agent.waitEvent(processId, 'process/closed');
    const info = await operator.until(() => {
      const now = latest(operator, key);
      return now?.state === 'closed' && now.terminatingSinceMs === null && now;
    }, 'the end');
    expect(info).toMatchObject({
      signal: 'SIGKILL',
      exitCode: 137,
      survivors: [],
      allEndedAtMs: expect.any(Number),
      endedBy: { who: 'the operator' },
    });
    expect(await operator.request('process/terminate', { key })).toEqual({ running: false });
  });

  it('[PR4] ends grandchildren in other process groups of the OS session', async () => {
    const { key, processId } = await agent.start(BASH, { tty: true });
    await agent.write({ processId }, 'sleep 1000 & echo bg=$!\n');
    await agent.until(() => /bg=\d+/.test(agent.output(processId).toString()), 'the background job');
    const pid = Number(/bg=(\d+)\r/.exec(agent.output(processId).toString())?.[1]);
    await operator.request('process/terminate', { key, graceMs: 500 });
    await agent.waitEvent(processId, 'process/closed');
    expect(isGone(pid)).toBe(true);
  });
});

describe('[PR5] A key that sends a signal', () => {
  it.each([
    ['\u0003', 'exec sleep 1000', 'interrupt'],
    ['\u0003', 'trap "exit 130" INT; while :; do sleep 0.1; done', 'interrupt'],
    ['\u001c', 'exec sleep 1000', 'quit'],
  ])('%j, typed to %s, is reported with the person who typed it', async (typed, script, how) => {
    await operator.request('console/watch', {});
    const { key, processId } = await agent.start(['/bin/sh', '-c', `echo ready; ${script}`], { tty: true });
    await agent.waitOutput(processId, 'ready');
    await operator.write({ key }, typed);
    const info = await operator.until(() => {
      const now = latest(operator, key);
      return now?.state === 'closed' && now;
    }, 'the end');
    expect(info).toMatchObject({ endedBy: { who: 'the operator', how } });
  });

  it('is reported only when the process dies of it', async () => {
    await operator.request('console/watch', {});
    const { key, processId } = await agent.start(
      ['/bin/sh', '-c', 'trap "" INT; echo ready; read x; exit 3'],
      {
        tty: true,
      },
    );
    await agent.waitOutput(processId, 'ready');
    await operator.write({ key }, '\u0003');
    await operator.write({ key }, 'x\n');
    const info = await operator.until(() => {
      const now = latest(operator, key);
      return now?.state === 'closed' && now;
    }, 'the end');
    expect(info).toMatchObject({ exitCode: 3, endedBy: null });
  });
});

/** Returns the state letter of a process, such as `S` or `T`. */
const stateOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';

describe('An act on a process', () => {
  it('[PR11] is recorded with the person', async () => {
    await operator.request('console/watch', {});
    // A shell that is still setting up its terminal would lose the end of file; cat does not.
    const { key, processId } = await agent.start(['/bin/cat'], { tty: true });
    await operator.request('process/signal', { key, signal: 'suspend' });
    await operator.request('process/signal', { key, signal: 'resume' });
    await agent.request('process/closeStdin', { processId });
    await agent.waitEvent(processId, 'process/closed');
    const { acts, endedBy } = await operator.until(() => {
      const info = latest(operator, key);
      return info?.state === 'closed' && info;
    }, 'the end');
    expect(acts.map(({ who, how }) => `${how} by ${who}`)).toEqual([
      'suspend by the operator',
      'resume by the operator',
      'closeStdin by the agent',
    ]);
    expect(endedBy).toBeNull();
  });

  it('[PR11] is placed after the earlier output, and before the output that it causes', async () => {
    await operator.request('console/watch', {});
    const script = 'trap "echo it; exit" INT; echo before; while :; do sleep 0.1; done';
    const { key, processId } = await agent.start(['/bin/sh', '-c', script]);
    await agent.waitOutput(processId, 'before');
    await operator.request('process/signal', { key, signal: 'interrupt' });
    await agent.waitEvent(processId, 'process/closed');
    const afterSeq = await operator.until(() => latest(operator, key)?.acts[0]?.afterSeq, 'the act');
    const { chunks } = await operator.request<ReadResult>('process/read', { key });
    const text = (is: (seq: number) => boolean): string =>
      chunks.flatMap(({ seq, chunk }) => (is(seq) ? [Buffer.from(chunk, 'base64').toString()] : [])).join('');
    expect(text((seq) => seq <= afterSeq)).toBe('before\n');
    expect(text((seq) => seq > afterSeq)).toContain('it\n');
  });

  it('[PR11] is placed after the output, not after the exit, when it ends leftover children', async () => {
    await operator.request('console/watch', {});
    const { key, processId } = await agent.start(['/bin/sh', '-c', 'echo all; sleep 1000 & exit 0']);
    await agent.waitEvent(processId, 'process/exited');
    await operator.request('process/terminate', { key });
    await agent.waitEvent(processId, 'process/closed');
    const { chunks } = await operator.request<ReadResult>('process/read', { key });
    expect(await operator.until(() => latest(operator, key)?.acts[0]?.afterSeq, 'the act')).toBe(
      chunks[0]?.seq,
    );
  });

  it('[PR12] reports children that left the OS session, by PID and name', async () => {
    await operator.request('console/watch', {});
    const away = `setsid sh -c 'echo away=$$ started; exec sleep 1000' & wait`;
    const { key, processId } = await agent.start(['/bin/bash', '-c', away]);
    await agent.waitOutput(processId, 'started');
    const pid = Number(/away=(\d+)/.exec(agent.output(processId).toString())?.[1]);
    await operator.request('process/terminate', { key });
    const escapedNow = (): ProcessInfo['escaped'] | undefined => latest(operator, key)?.escaped;
    await operator.until(() => escapedNow()?.length === 1, 'what escaped');
    expect(escapedNow()).toEqual([{ pid, name: expect.any(String) }]);
    expect(await operator.request('process/terminate', { key, graceMs: 0, escaped: true })).toEqual({
      running: true,
    });
    await operator.until(() => escapedNow()?.length === 0, 'its end');
    expect(isGone(pid)).toBe(true);
  });
});

describe('process/signal by key', () => {
  it('suspends and resumes a process without a terminal', async () => {
    const { key, processId } = await agent.start(['/bin/sh', '-c', 'echo $$; exec sleep 1000']);
    await agent.waitOutput(processId, '\n');
    const pid = Number(agent.output(processId).toString());
    await operator.request('process/signal', { key, signal: 'suspend' });
    await expect.poll(() => stateOf(pid)).toBe('T');
    await operator.request('process/signal', { key, signal: 'resume' });
    await expect.poll(() => stateOf(pid)).toBe('S');
  });
});

describe('The end of the gateway', () => {
  it.each([
    [
      'a grandchild that ignores SIGTERM',
      '(trap "" TERM; exec sleep 1000) & echo $!; exec sleep 1000',
      'running',
    ],
    [
      'a child that an ended process left behind',
      '(trap "" TERM; exec sleep 1000 >/dev/null 2>&1) & echo $!',
      'closed',
    ],
  ])('ends %s too', async (_what, script, until) => {
    const { processId } = await agent.start(['/bin/bash', '-c', script]);
    await agent.waitOutput(processId, '\n');
    if (until === 'closed') await agent.waitEvent(processId, 'process/closed');
    const pid = Number(agent.output(processId).toString());
    expect(isGone(pid)).toBe(false);
    await server.stop();
    expect(isGone(pid)).toBe(true);
  });
});

/** A zombie counts as gone, since only init can reap it. */
function isGone(pid: number): boolean {
  try {
    return stateOf(pid) === 'Z';
  } catch {
    return true;
  }
}
