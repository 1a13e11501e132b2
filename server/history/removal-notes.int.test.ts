// Tests that clients are notified of removed recordings, and guests only of those of their process: rule HS11.
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ShareResult } from '../../protocol/access.ts';
import type { ConsoleChanged } from '../../protocol/console.ts';
import { finishedIn, run } from '../testing/past-runs.ts';
import { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

/** Runs a command; resolves with its key when its recording is finished. */
async function recorded(command: string): Promise<string> {
  const key = await run(await server.client('agent'), command);
  await finishedIn(join(server.stateDir, 'rec'), await server.client('operator'), key);
  return key;
}

async function guestOf(key: string | null): Promise<TestClient> {
  const operator = await server.client('operator');
  const { url } = await operator.request<ShareResult>('console/share', key === null ? {} : { key });
  const { origin, hash } = new URL(url);
  const share = new URLSearchParams(hash.slice(1)).get('share');
  const answer = await fetch(`${origin}/auth/exchange`, {
    method: 'POST',
    headers: { origin },
    body: JSON.stringify({ share }),
  });
  const { token } = (await answer.json()) as { token: string };
  const client = await TestClient.open(server.url, { token });
  await client.initialize();
  return client;
}

async function watching(client: Promise<TestClient>): Promise<TestClient> {
  const watcher = await client;
  await watcher.request('console/watch', {});
  return watcher;
}

const changes = ({ log }: TestClient): ConsoleChanged[] =>
  log.flatMap(({ method, params }) =>
    method === 'console/changed' ? [params as unknown as ConsoleChanged] : [],
  );

const removals = (client: TestClient): ConsoleChanged['recordingsRemoved'][] =>
  changes(client).flatMap(({ recordingsRemoved }) => recordingsRemoved ?? []);

const removalOf = async (client: TestClient, key: string): Promise<unknown> => {
  const all = (): unknown[] => removals(client).filter((each) => JSON.stringify(each).includes(key));
  await client.until(() => all().length > 0, 'the removal');
  expect(all()).toHaveLength(1);
  return all()[0];
};

it('[HS11][SH2] a removal is sent with its person, and to guests only if their share includes the process', async () => {
  server = await TestServer.start({ changedSoonMs: 5 });
  const [key, other] = [await recorded('echo one'), await recorded('echo two')];
  const observer = await watching(server.client('observer'));
  const [own, others, all] = [
    await watching(guestOf(key)),
    await watching(guestOf(other)),
    await watching(guestOf(null)),
  ];
  const admin = await server.client('admin');
  await admin.request('console/historyRemove', { keys: [key] });
  const who = 'the admin';
  expect(await removalOf(observer, key)).toEqual({ recordings: [{ key, who }], isComplete: true });
  expect(await removalOf(all, key)).toEqual({ recordings: [{ key, who }], isComplete: true });
  expect(await removalOf(own, key)).toEqual({ recordings: [{ key, who: 'somebody' }], isComplete: true });
  // The removal of the other process arrives after anything sent about the first.
  await admin.request('console/historyRemove', { keys: [other] });
  await removalOf(others, other);
  expect(JSON.stringify(others.log)).not.toContain(key);
  for (const guest of [own, others, all]) guest.ws.terminate();
});

it('[HS11][HS12][SH1] a removal by a limit is sent as one by the gateway, and not to guests, who have no history', async () => {
  server = await TestServer.start({ recordBytes: 1024 * 1024, changedSoonMs: 5 });
  const key = await recorded('echo old');
  await server.restart();
  const observer = await watching(server.client('observer'));
  const guest = await watching(guestOf(null));
  await observer.request('process/attach', { key, afterSeq: 0 });
  await run(await server.client('agent'), 'head -c 2000000 /dev/zero');
  // The recording that exceeds the limit alone may be removed, too.
  expect(await removalOf(observer, key)).toMatchObject({
    recordings: expect.arrayContaining([{ key, who: 'gateway' }]),
    isComplete: true,
  });
  const later = await run(await server.client('agent'), 'true');
  await guest.until(() => JSON.stringify(guest.log).includes(later), 'a later change');
  expect(JSON.stringify(guest.log)).not.toContain(key);
  guest.ws.terminate();
});
