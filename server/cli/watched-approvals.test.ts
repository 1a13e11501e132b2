// Requests that "approvals --watch" prints, with connections that are lost at chosen moments.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConnectionLost } from '../../client/exec-client.ts';
import type { ConnectionState } from '../../client/connection-state.ts';
import type { Approval } from '../../protocol/approvals.ts';
import type { ConsoleChanged } from '../../protocol/console.ts';
import type { Gateway } from './connect.ts';
import { watchApprovals } from './watched-approvals.ts';

type Answer = (approvals: readonly Approval[] | Error) => void;

const request = (id: string, state: Approval['state']): Approval =>
  ({ id, state, reason: 'no rule allows it', hasGoneOn: false }) as Approval;

/** Starts a watch of a gateway whose replies, changes and states the test chooses. */
function watched() {
  const asked: { params: object; answer: Answer }[] = [];
  const printed: string[] = [];
  const states = new Set<(state: ConnectionState) => void>();
  let changed: (change: ConsoleChanged) => void = () => undefined;
  const connection = {
    state: { kind: 'online' },
    request: (_method: string, params: object) =>
      new Promise((resolve, reject) => {
        const answer: Answer = (given) =>
          given instanceof Error ? reject(given) : resolve({ approvals: given });
        asked.push({ params, answer });
      }),
    onState: (listener: (state: ConnectionState) => void) => {
      states.add(listener);
      return () => states.delete(listener);
    },
  };
  const processes = {
    onChanged: (listener: typeof changed) => {
      changed = listener;
      return () => undefined;
    },
  };
  const gateway = { client: { connection, processes }, address: { pid: null } } as unknown as Gateway;
  const result = watchApprovals(gateway, async ({ id, state }) => {
    printed.push(`${id} ${state}`);
    return true;
  });
  const become = (kind: string): void => {
    for (const listener of states) listener({ kind, reason: 'cut' } as ConnectionState);
  };
  return {
    printed,
    result,
    asked: async (params: object): Promise<Answer> => {
      await vi.waitFor(() => expect(asked[0]?.params).toEqual(params));
      return asked.shift()?.answer ?? expect.fail();
    },
    change: (...approvals: Approval[]) => changed({ approvals }),
    cut: () => become('waiting'),
    back: () => become('online'),
    fail: () => become('failed'),
  };
}

beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('[CL8] approvals --watch continues after a connection that is lost before its reply', async () => {
  const watch = watched();
  const first = await watch.asked({});
  watch.cut();
  first(new ConnectionLost('cut'));
  watch.back();
  (await watch.asked({}))([request('a', 'waiting')]);
  await vi.waitFor(() => expect(watch.printed).toEqual(['a waiting']));
  watch.fail();
  await expect(watch.result).rejects.toThrow('the connection was lost and cannot be restored: cut');
});

it('[CL8] approvals --watch prints once a request that ended while the connection was lost', async () => {
  const watch = watched();
  (await watch.asked({}))([request('a', 'waiting'), request('b', 'waiting')]);
  await vi.waitFor(() => expect(watch.printed).toHaveLength(2));
  watch.cut();
  watch.back();
  (await watch.asked({}))([request('b', 'waiting')]);
  const ended = await watch.asked({ id: 'a' });
  watch.change(request('a', 'declined'));
  ended([request('a', 'declined')]);
  watch.change(request('a', 'declined'), request('b', 'accepted'));
  watch.cut();
  watch.back();
  (await watch.asked({}))([]);
  watch.fail();
  await expect(watch.result).rejects.toThrow('the connection was lost');
  expect(watch.printed).toEqual(['a waiting', 'b waiting', 'a declined', 'b accepted']);
});
