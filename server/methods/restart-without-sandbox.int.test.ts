// Tests of a person's restart without the sandbox that blocked the first run: rule AP15.
import { expect, it } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import { readOnly } from '../testing/intents.ts';
import { TestServer } from '../testing/test-server.ts';

const restarted = async (
  sandbox: 'none' | 'read-only',
): Promise<readonly [string, ProcessInfo | undefined]> => {
  const server = await TestServer.start({}, { sandbox });
  try {
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const { key, processId } = await agent.start(['true'], { sandbox: readOnly('/tmp') });
    await agent.waitEvent(processId, 'process/closed');
    const again = await operator.request<{ key: string; sandboxType: string }>('process/restart', {
      key,
      newProcessId: 'again',
      withoutSandbox: true,
    });
    const { processes } = await operator.request<{ processes: ProcessInfo[] }>('console/watch', {});
    const info = processes.find((each) => each.key === again.key);
    expect(info?.restartOf).toBe(key);
    return [again.sandboxType, info];
  } finally {
    await server.stop();
  }
};

it('[AP15] a restart without sandbox is linked to the first run, and keeps the operator’s minimum sandbox', async () => {
  expect((await restarted('none'))[0]).toBe('none');
  expect((await restarted('read-only'))[0]).not.toBe('none');
});
