// Tests of restarts of ended processes, with all their parameters: rule CO12.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { latest } from '../testing/latest-info.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
beforeEach(async () => {
  server = await TestServer.start();
  agent = await server.client('agent');
  operator = await server.client('operator');
});
afterEach(() => server.stop());

it('[CO12] a restart has the same command, folder, environment, terminal and size', async () => {
  await operator.request('console/watch', {});
  const script = 'echo "$PWD $SECRET $(stty size)"';
  const env = { PATH: '/usr/bin:/bin', SECRET: 'kept' };
  const size = { rows: 33, cols: 77 };
  const first = await agent.start(['/bin/sh', '-c', script], { cwd: 'file:///usr', env, tty: true, size });
  await agent.waitEvent(first.processId, 'process/closed');
  await operator.until(() => latest(operator, first.key)?.state === 'closed', 'the end');

  const request = { key: first.key, newProcessId: 'again' };
  const { key } = await operator.request<{ key: string }>('process/restart', request);
  await operator.waitEvent(key, 'process/closed');
  expect(operator.output(key).toString()).toContain('/usr kept 33 77');
  const info = await operator.until(() => {
    const now = latest(operator, key);
    return now?.state === 'closed' && now;
  }, 'its record');
  expect(info).toMatchObject({
    session: 'console',
    startedBy: 'the operator',
    restartOf: first.key,
    restartable: true,
    size,
  });
  expect(JSON.stringify(operator.log)).not.toContain('"SECRET"');
  const old = await operator.until(() => {
    const now = latest(operator, first.key);
    return now && now.acts.length > 0 && now;
  }, 'who restarted it');
  expect(old.acts).toMatchObject([{ who: 'the operator', how: 'restart' }]);
});

it('[CO12] a restart is refused for a running or unknown process, and to a role without permission', async () => {
  const { key } = await agent.start(['/bin/cat'], { pipeStdin: true });
  const restart = (client: TestClient, of: string): Promise<unknown> =>
    client.request('process/restart', { key: of, newProcessId: 'again' });
  await expect(restart(operator, key)).rejects.toThrow('is still running');
  await expect(restart(operator, 'nope')).rejects.toMatchObject({ code: -32020 });
  await expect(restart(await server.client('observer'), key)).rejects.toMatchObject({ code: -32021 });
  await expect(restart(agent, key)).rejects.toMatchObject({ code: -32021 });
});
