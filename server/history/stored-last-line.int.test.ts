// Tests of the last line that is stored with a recording, and shown by later gateways: rules HS3 and SC4.
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { finishedIn, list, run } from '../testing/past-runs.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

it('[HS3][SC4] a stored last line has secrets masked, even with overwritten first letters', async () => {
  server = await TestServer.start();
  const agent = await server.client('agent');
  const secret = `ghp_${'aB3'.repeat(12)}`;
  const keys = await Promise.all(
    [`token ${secret}`, `token ${secret}\\r\\033[6Cok`, `${secret}\\r# `].map((text) =>
      run(agent, `printf '${text}\\n'`, { tty: true }),
    ),
  );
  const operator = await server.client('operator');
  for (const key of keys) await finishedIn(join(server.stateDir, 'rec'), operator, key);
  await server.restart();
  for (const role of ['observer', 'operator'] as const) {
    const lines = (await list(await server.client(role))).map(({ lastLine }) => lastLine ?? '');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^(?!.*aB3).*\*{20}/);
  }
});
