// Tests of sessions that are not resumed, over real sockets with real processes: rules SE4, SE9 and SE10.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProcessInfo, SessionInfo, WatchResult } from '../../protocol/console.ts';
import type { ReadResult } from '../../protocol/process.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start({ sessionTtlMs: 300 });
});
afterEach(() => server.stop());

describe('The end of a session', () => {
  it('[SE4] allows a process time to end by itself when the session has expired', async () => {
    const a = await server.client();
    const script = "trap 'echo cleaned; exit 3' TERM; echo ready; while :; do sleep 0.05; done";
    const { processId, key } = await a.start(['/bin/sh', '-c', script]);
    await a.waitOutput(processId, 'ready\n');
    await a.cut();
    const observer = await server.client('observer');
    const { exitCode } = await observer.request<{ exitCode: number | null }>('process/wait', {
      key,
      waitMs: 20_000,
    });
    expect(exitCode).toBe(3);
  });

  it('[SE4] is announced to watchers while the session is detached', async () => {
    await server.stop();
    server = await TestServer.start({ sessionTtlMs: 60_000 });
    const a = await server.client();
    const { key } = await a.start(['sleep', '1000']);
    const observer = await server.client('observer');
    const sessionOf = async (): Promise<SessionInfo | undefined> => {
      const { processes, sessions } = await observer.request<WatchResult>('console/watch', {});
      const label = processes.find((each) => each.key === key)?.session;
      return sessions.find((each) => each.label === label);
    };
    expect(await sessionOf()).toMatchObject({ detachedAtMs: null, expiresAtMs: null });
    await a.cut();
    const { detachedAtMs, expiresAtMs } = await vi.waitFor(async () => {
      const session = await sessionOf();
      if (typeof session?.detachedAtMs !== 'number') throw new Error('it is attached');
      return session;
    });
    expect((expiresAtMs ?? 0) - (detachedAtMs ?? 0)).toBe(60_000);
  });

  it('[SE9] is delayed when another client may still read output printed after the exit', async () => {
    await server.stop();
    server = await TestServer.start();
    const a = await server.client();
    const script = '(sleep 0.3; echo late) & echo now';
    const { processId } = await a.start(['/bin/sh', '-c', script], { endsWithConnection: true });
    await a.waitEvent(processId, 'process/closed');
    await a.cut();
    const b = await server.client('agent', a.sessionId);
    const { closed } = await b.request<ReadResult>('process/read', { processId });
    expect(closed).toBe(true);
  });

  it('[SE10] leaves a pinned process running when it has expired, until that is terminated', async () => {
    const a = await server.client();
    const pinned = await a.start(['sleep', '1000']);
    const other = await a.start(['sleep', '1000'], { endsWithConnection: true });
    const lost = await a.start(['sleep', '1000']);
    const operator = await server.client('operator');
    for (const { key } of [pinned, other]) await operator.request('process/pin', { key, pinned: true });
    await a.cut();
    await operator.request('process/wait', { key: lost.key, waitMs: 20_000 });
    const { processes } = await operator.request<{ processes: ProcessInfo[] }>('console/watch', {});
    const stateOf = (key: string) => processes.find((each) => each.key === key);
    for (const { key } of [pinned, other])
      expect(stateOf(key)).toMatchObject({ state: 'running', pinnedBy: 'the operator' });
    expect(stateOf(lost.key)).toMatchObject({ pinnedBy: null });
    for (const { key } of [pinned, other]) await operator.request('process/terminate', { key });
  });
});
