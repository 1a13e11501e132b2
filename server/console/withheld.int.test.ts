// Tests that a new field in the process list is withheld, over the wire: rule SC8.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import { DEFAULT_LIMITS } from '../config.ts';
import { Gateway } from '../gateway.ts';
import { Sandboxes } from '../host/sandbox/sandboxes.ts';
import type { Identity } from '../policy/identity.ts';
import { connectInProcess } from '../testing/in-process-wire.ts';
import { WireClient } from '../testing/wire-client.ts';

let gateway: Gateway;
beforeEach(() => {
  gateway = new Gateway({
    limits: { ...DEFAULT_LIMITS, shutdownGraceMs: 0, changedSoonMs: 5 },
    version: 'test',
    sandboxes: new Sandboxes({ stateDir: '/nowhere', floor: 'none', user: null }),
    user: null,
    auditPath: null,
    access: null,
    log: () => {},
  });
});
afterEach(() => gateway.close());

async function connect(more: Partial<Identity>): Promise<WireClient> {
  const identity: Identity = { tokenId: 't', name: 'Olga', role: 'operator', expiresAtMs: null, ...more };
  const client = new WireClient(connectInProcess(gateway, identity));
  await client.initialize();
  return client;
}

it('[SC8] an unlisted field of a process is sent to operators, but not to observers and guests', async () => {
  const operator = await connect({});
  const { key } = await operator.start(['cat'], { session: 'console', pipeStdin: true });
  const snapshot = gateway.console.snapshot.bind(gateway.console);
  vi.spyOn(gateway.console, 'snapshot').mockImplementation((sinceChange) => {
    const all = snapshot(sinceChange);
    const processes = all.processes.map((info): ProcessInfo => Object.assign(info, { newField: 'secret' }));
    return Object.assign(all, { processes, newField: 'secret' });
  });
  const viewers = {
    operator,
    observer: await connect({ role: 'observer' }),
    guest: await connect({ role: 'observer', share: { id: 's', key }, expiresAtMs: Date.now() + 60_000 }),
  };
  const fields = async (viewer: WireClient): Promise<Record<string, unknown>> =>
    viewer.request('console/watch', {});
  const all = await fields(viewers.operator);
  expect(all).toMatchObject({ newField: 'secret', processes: [{ key, newField: 'secret' }] });
  for (const viewer of [viewers.observer, viewers.guest]) {
    const seen = await fields(viewer);
    expect(JSON.stringify(seen)).not.toContain('secret');
    const names = (result: Record<string, unknown>): string[] => [
      ...Object.keys(result),
      ...Object.keys((result['processes'] as object[])[0] ?? {}),
    ];
    expect(names(seen).toSorted()).toEqual(
      names(all)
        .filter((name) => name !== 'newField')
        .toSorted(),
    );
  }
});
