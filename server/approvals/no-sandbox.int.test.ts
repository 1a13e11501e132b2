// Starts that request a sandbox on a host without sandboxes, at a real gateway: rule AP19.
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { readOnly } from '../testing/intents.ts';
import { decide, errorOf, exitOf, GatedServer, list, waiting, waits } from '../testing/gated-server.ts';

let gated: GatedServer;
beforeEach(() => {
  // Sandboxes are available only after `prepare`, which does nothing here.
  vi.spyOn(Sandboxes.prototype, 'prepare').mockResolvedValue();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await gated.stop();
});

const NO_SANDBOX = 'this machine cannot enforce the requested sandbox';

it.each(['on-request', 'on-failure', 'always'] as const)(
  '[AP19] a start under %s asks to run without its sandbox, does so when approved, and offers no rule',
  async (approvals) => {
    gated = await GatedServer.start({ approvals });
    const { server } = gated;
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    if (approvals === 'always') await operator.request('console/addRule', { prefix: ['touch'] });
    const sandbox = readOnly(gated.folder);
    const started = agent.start(gated.touch('a'), { sandbox });
    const asked = await waits(operator);
    expect(asked.reason).toContain(NO_SANDBOX);
    expect(asked).toMatchObject({ sandboxed: false, proposedRules: [] });
    expect(existsSync(gated.marked('a'))).toBe(false);
    await decide(operator, asked.id, 'accept');
    expect(await exitOf(agent, started)).toMatchObject({ exitCode: 0 });
    expect(existsSync(gated.marked('a'))).toBe(true);
    const refused = errorOf(agent.start(gated.touch('b'), { sandbox }));
    await decide(operator, (await waits(operator)).id, 'decline');
    expect((await refused)?.message).toContain('declined');
    expect(existsSync(gated.marked('b'))).toBe(false);
  },
);

it('[AP19] an approval for the session applies to equal starts without their sandbox, waiting or later', async () => {
  gated = await GatedServer.start({ approvals: 'on-request' });
  const { server } = gated;
  const [agent, operator] = [await server.client('agent'), await server.client('operator')];
  const sandbox = readOnly(gated.folder);
  const [first, equal] = [1, 2].map(() => agent.start(gated.touch('a'), { sandbox }));
  await decide(operator, (await waits(operator, 2)).id, 'acceptForSession');
  await Promise.all([first, equal]);
  expect(await exitOf(agent, agent.start(gated.touch('a'), { sandbox }))).toMatchObject({ exitCode: 0 });
  const other = errorOf(agent.start(gated.touch('b'), { sandbox }));
  await decide(operator, (await waits(operator)).id, 'decline');
  await other;
});

it('[AP19] a start keeps its sandbox when the policy no longer asks, and under the operator’s floor', async () => {
  gated = await GatedServer.start({ approvals: 'on-request' });
  const [agent, operator] = [await gated.server.client('agent'), await gated.server.client('operator')];
  const sandbox = readOnly(gated.folder);
  const released = errorOf(agent.start(gated.touch('a'), { sandbox }));
  await waits(operator);
  await operator.request('console/setPolicy', { policy: 'never' });
  expect((await released)?.message).toContain('cannot enforce a sandbox');
  expect((await errorOf(agent.start(gated.touch('a'), { sandbox })))?.message).toContain(
    'cannot enforce a sandbox',
  );
  await gated.stop();

  gated = await GatedServer.start({ approvals: 'on-request', sandbox: 'read-only' });
  const [below, person] = [await gated.server.client('agent'), await gated.server.client('operator')];
  expect((await errorOf(below.start(gated.touch('a'), { sandbox })))?.message).toContain(
    'cannot enforce a sandbox',
  );
  expect(await waiting(person)).toEqual([]);
  expect((await list(person)).approvals).toEqual([]);
  expect(existsSync(gated.marked('a'))).toBe(false);
});
