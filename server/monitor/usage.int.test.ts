// Tests of the usage of real processes over the wire: rules US1 to US3.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ProcessUsage } from '../../protocol/looks.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
beforeEach(async () => {
  server = await TestServer.start({ usageMs: 200, portsMs: 200 });
  agent = await server.client('agent');
  operator = await server.client('operator');
});
afterEach(() => server.stop());

const latest = (key: string): ProcessUsage | undefined =>
  operator.log
    .flatMap(({ method, params }) =>
      method === 'console/usageChanged' ? (params?.['usage'] as ProcessUsage[]) : [],
    )
    .findLast((usage) => usage.key === key);

it('[US1] usage includes all children of a process', async () => {
  const busy = await agent.start(['/bin/sh', '-c', 'while :; do :; done & sleep 1000']);
  const idle = await agent.start(['/bin/sleep', '1000']);
  expect(await operator.request('console/usage', { keys: [busy.key, idle.key] })).toEqual({
    supported: true,
  });
  const usage = await operator.until(() => {
    const now = latest(busy.key);
    return now && (now.cpu ?? 0) > 0.1 ? now : null;
  }, 'the busy one');
  expect(usage.processes).toBe(3);
  expect(usage.memoryBytes).toBeGreaterThan(100_000);
  expect(latest(idle.key)).toMatchObject({ processes: 1, ports: [] });
});

it('[US1] usage has the resident memory that Linux reports, whatever the page size', async () => {
  const { key, processId } = await agent.start(['/bin/sh', '-c', 'echo $$; exec sleep 1000']);
  await agent.waitOutput(processId, '\n');
  const pid = Number(agent.output(processId).toString());
  await operator.request('console/usage', { keys: [key] });
  const { memoryBytes } = await operator.until(() => latest(key), 'its usage');
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  expect(memoryBytes / (Number(kib) * 1024)).toBeCloseTo(1, 0);
});

it('[US1] usage includes children too short-lived to be sampled', async () => {
  const script = `while :; do awk 'BEGIN { for (i = 0; i < 100000; i++); }'; done`;
  const { key } = await agent.start(['/bin/sh', '-c', script]);
  await operator.request('console/usage', { keys: [key] });
  await operator.until(() => (latest(key)?.cpu ?? 0) > 0.3, 'that it is busy');
});

it('[US1] usage has the ports on which a process listens', async () => {
  const script =
    "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))";
  const { key, processId } = await agent.start([process.execPath, '-e', script]);
  await agent.waitOutput(processId, '\n');
  const port = Number(agent.output(processId).toString());
  await operator.request('console/usage', { keys: [key] });
  const usage = await operator.until(() => latest(key), 'its usage');
  expect(usage.ports).toEqual([{ port, address: '127.0.0.1' }]);
});

it('[US2] usage is sent only for the processes of the latest request', async () => {
  const one = await agent.start(['/bin/sleep', '1000']);
  const two = await agent.start(['/bin/sleep', '1000']);
  await operator.request('console/usage', { keys: [one.key, 'nobody'] });
  await operator.until(() => latest(one.key), 'the first');
  await operator.request('console/usage', { keys: [two.key] });
  const from = operator.log.length;
  await operator.until(() => latest(two.key), 'the second');
  const reported = operator.log.slice(from).filter(({ method }) => method === 'console/usageChanged');
  expect(JSON.stringify(reported)).not.toContain(one.key);
  await expect(agent.request('console/usage', { keys: [] })).rejects.toMatchObject({ code: -32021 });
});

it('[US3] usage lists the processes of a named process, to those who may see it', async () => {
  const one = await agent.start(['/bin/sh', '-c', 'sleep 1000 & setsid sleep 1001 & wait']);
  const two = await agent.start(['/bin/sleep', '1000']);
  await operator.request('console/usage', { keys: [one.key, two.key], tree: one.key });
  const { tree = [] } = await operator.until(() => {
    const now = latest(one.key);
    return now?.tree?.length === 3 ? now : null;
  }, 'its tree');
  expect(tree.map(({ name }) => name)).toEqual(['sh', 'sleep', 'sleep']);
  expect(tree.map(({ parent }) => parent)).toEqual([0, tree[0]?.pid, tree[0]?.pid]);
  await operator.until(() => latest(two.key), 'the usage of the other');
  expect(latest(two.key)).not.toHaveProperty('tree');
  // A tree is returned only for a process among the keys.
  await operator.request('console/usage', { keys: [two.key], tree: one.key });
  const from = operator.log.length;
  await operator.until(() => operator.log.length > from && latest(two.key), 'the next usage');
  expect(JSON.stringify(operator.log.slice(from))).not.toContain('"tree"');
});
