// Tests of the metrics of a real gateway, in the format of Prometheus, and of the roles that may read them.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

const ask = (path: string, role: 'agent' | 'observer' | 'operator' = 'observer'): Promise<Response> =>
  fetch(new URL(path, server.url.replace('ws', 'http')), {
    headers: { authorization: `Bearer ${server.token(role)}` },
  });

/** Returns the value of each sample, by its name with labels. */
async function figures(): Promise<Map<string, number>> {
  const lines = (await (await ask('/metrics')).text()).split('\n').filter((line) => /^[a-z]/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

it('[MT1] the metrics count events, in the format of Prometheus', async () => {
  const agent = await server.client('agent');
  const observer = await server.client('observer');
  await observer.request('console/watch', {});
  const succeeded = await agent.start(['/bin/echo', 'hello']);
  const failed = await agent.start(['/bin/false'], { tty: true });
  const live = await agent.start(['/bin/cat'], { tty: true });
  await expect(agent.start(['/proc/none/program'])).rejects.toThrow('program');
  const { processId } = await agent.start(['/bin/sleep', '100'], { pipeStdin: true });
  for (const writeId of ['1', '1', '2']) {
    await agent.request('process/write', { processId, chunk: 'aGk=', writeId });
    await agent.request('process/closeStdin', { processId });
  }
  await observer.request('process/attach', { key: live.key });
  for (const { key } of [succeeded, failed])
    await observer.request('process/wait', { key, waitMs: 10_000, until: 'closed' });
  await expect(observer.request('process/read', { key: 'none' })).rejects.toThrow();
  await expect(observer.request('made-up/method', {})).rejects.toThrow();
  await fetch(new URL('/', server.url.replace('ws', 'http')), { headers: { origin: 'http://evil.example' } });

  const response = await ask('/metrics');
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toMatch(/^# TYPE exec_console_request_duration_seconds histogram$/m);
  const found = await figures();
  const expected = {
    'exec_console_info{version="test"}': 1,
    exec_console_degraded: expect.any(Number),
    'exec_console_connections{role="agent"}': 1,
    'exec_console_connections_total{role="agent"}': 1,
    'exec_console_connections_total{role="operator"}': 0,
    'exec_console_sessions_total{how="made"}': 2,
    'exec_console_sessions_total{how="resumed"}': 0,
    'exec_console_processes_not_started_total{reason="other"}': 1,
    'exec_console_processes_not_started_total{reason="starved"}': 0,
    exec_console_input_bytes_total: 2,
    'exec_console_connections{role="observer"}': 1,
    'exec_console_connections{role="admin"}': 0,
    'exec_console_processes{state="live"}': 2,
    'exec_console_processes{state="finished"}': 2,
    'exec_console_processes_started_total{kind="tty"}': 2,
    'exec_console_processes_started_total{kind="pipes"}': 2,
    'exec_console_processes_finished_total{result="success"}': 1,
    'exec_console_processes_finished_total{result="failure"}': 1,
    'exec_console_processes_finished_total{result="signal"}': 0,
    exec_console_output_bytes_total: 6,
    'exec_console_sessions{state="attached"}': 2,
    'exec_console_sessions{state="detached"}': 0,
    exec_console_approvals_waiting: 0,
    exec_console_approvals_oldest_seconds: 0,
    'exec_console_approvals_total{result="accepted"}': 0,
    exec_console_approval_decisions_total: 0,
    exec_console_approval_decision_seconds_total: 0,
    exec_console_watchers: 1,
    exec_console_attachments: 1,
    exec_console_missed_bytes_total: 0,
    'exec_console_refused_total{status="403"}': 1,
    'exec_console_refused_total{status="connection"}': 0,
    'exec_console_request_duration_seconds_count{method="process/start",result="ok"}': 4,
    'exec_console_request_duration_seconds_bucket{method="process/start",result="ok",le="+Inf"}': 4,
    'exec_console_request_duration_seconds_count{method="process/read",result="error"}': 1,
    'exec_console_request_duration_seconds_count{method="other",result="error"}': 1,
  };
  expect(Object.fromEntries(found)).toMatchObject(expected);
  expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  const delay = 'exec_console_event_loop_delay_seconds{quantile="0.99"}';
  await vi.waitFor(async () => expect([...(await figures()).keys()]).toContain(delay), 10_000);
});

it('[MT1] the metrics count bytes that were skipped for a reader', async () => {
  const agent = await server.client('agent');
  const observer = await server.client('observer');
  const { key, processId } = await agent.start(['/usr/bin/head', '-c', '3000000', '/dev/zero']);
  await agent.waitEvent(processId, 'process/closed');
  await observer.request('process/attach', { key, afterSeq: 0 });
  const gap = await observer.waitEvent(key, 'process/gap');
  const bytes = Number(gap.params?.['bytes']);
  expect(bytes).toBeGreaterThanOrEqual(3_000_000 - DEFAULT_LIMITS.retainedBytes);
  expect((await figures()).get('exec_console_missed_bytes_total')).toBe(bytes);
});

it('[MT2] the metrics name no process, no person and no secret', async () => {
  const agent = await server.client('agent');
  const { key, processId } = await agent.start(['/bin/echo', 'my-argument']);
  const text = await (await ask('/metrics')).text();
  const secrets = (['agent', 'observer', 'operator'] as const).map((role) => server.token(role));
  for (const word of [key, processId, 'my-argument', 'echo', 'the agent', server.stateDir, ...secrets])
    expect(text).not.toContain(word);
});

it('[MT3] the metrics are readable for observers and operators with a bearer token', async () => {
  expect((await ask('/metrics', 'operator')).status).toBe(200);
  expect((await ask('/metrics', 'agent')).status).toBe(403);
  const url = new URL('/metrics', server.url.replace('ws', 'http'));
  expect((await fetch(url)).status).toBe(401);
});

it('[MT3] a guest of one process gets neither metrics nor details of the status', async () => {
  const operator = await server.client('operator');
  const { key } = await operator.start(['/bin/cat'], { tty: true, session: 'console' });
  const { url } = await operator.request<{ url: string }>('console/share', { key, ttlMs: 60_000 });
  const share = new URL(url, server.addresses.pageUrl()).hash.replace('#share=', '');
  const exchanged = await fetch(new URL('/auth/exchange', server.addresses.pageUrl()), {
    method: 'POST',
    headers: { origin: new URL(server.addresses.pageUrl()).origin },
    body: JSON.stringify({ share }),
  });
  const { token } = (await exchanged.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const base = server.url.replace('ws', 'http');
  expect((await fetch(new URL('/metrics', base), { headers })).status).toBe(403);
  expect(await (await fetch(new URL('/status', base), { headers })).json()).toEqual({
    status: 'ok',
    reasons: [],
  });
});

it('[MT4] /status reports the gateway’s own vital signs to permitted roles', async () => {
  await ask('/status');
  const status = (await (await ask('/status')).json()) as Record<string, unknown>;
  expect(status).toMatchObject({
    status: expect.stringMatching(/ok|degraded/),
    disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
    descriptors: { used: expect.any(Number), limit: expect.any(Number) },
    memoryBytes: expect.any(Number),
    cpuSeconds: expect.any(Number),
  });
  expect(Object.keys((await (await ask('/status', 'agent')).json()) as object)).toEqual([
    'status',
    'reasons',
  ]);
});
