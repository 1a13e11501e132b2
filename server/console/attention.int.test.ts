// Tests of activity sent to people, the list of people, and transfers of control: rules CO3, CO9, CO10 and CO11.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Activity, Person } from '../../protocol/activity.ts';
import type { ConsoleChanged, WatchResult } from '../../protocol/console.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
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

const changes = (client: TestClient): ConsoleChanged[] =>
  client.log.flatMap(({ method, params }) =>
    method === 'console/changed' ? [params as unknown as ConsoleChanged] : [],
  );
const activities = (client: TestClient): Activity[] =>
  changes(client).flatMap(({ activity }) => activity?.entries ?? []);
const peopleNow = (client: TestClient): readonly Person[] | undefined =>
  changes(client).findLast(({ people }) => people)?.people;

it('[CO9] watchers get starts, exits, bells and notifications, live and since a change', async () => {
  const { activity } = await operator.request<WatchResult>('console/watch', {});
  expect(activity).toMatchObject({ entries: [], isComplete: true });
  const script = String.raw`printf '\033]9;4;1;40\007\033]9;build failed\007\007'; sleep 1000`;
  const { key } = await agent.start(['/bin/sh', '-c', script], { tty: true });
  const sent = await operator.until(() => activities(operator).length >= 3 && activities(operator), 'three');
  expect(sent.map(({ key: of, what, text }) => [of === key, what, text])).toEqual([
    [true, 'started', undefined],
    [true, 'notification', 'build failed'],
    [true, 'bell', undefined],
  ]);
  expect(latest(operator, key)).toMatchObject({
    bellAtMs: expect.any(Number),
    notification: { text: 'build failed' },
    progress: { state: 'normal', percent: 40 },
  });
  await operator.request('process/terminate', { key, graceMs: 0 });
  await operator.until(() => activities(operator).at(-1)?.what === 'exited', 'the exit');
  await operator.until(() => latest(operator, key)?.progress === null, 'the end of its progress');

  const later = await server.client('observer');
  const since = await later.request<WatchResult>('console/watch', { sinceChange: activity.change });
  expect(since.activity).toEqual({
    change: activity.change + 4,
    entries: activities(operator),
    isComplete: true,
  });
});

it('[CO10] the list of people has each watcher, and a process lists its own watchers', async () => {
  await operator.request('console/watch', {});
  expect(await operator.until(() => peopleNow(operator), 'oneself')).toMatchObject([
    { name: 'the operator', role: 'operator' },
  ]);
  const { key } = await agent.start(['/bin/cat'], { tty: true });
  const observer = await server.client('observer');
  await observer.request('console/watch', {});
  await observer.request('process/attach', { key });
  await operator.until(() => latest(operator, key)?.watchers === 1, 'a watcher');
  const other = peopleNow(operator)?.find(({ role }) => role === 'observer');
  expect(latest(operator, key)?.watchedBy).toEqual([other?.connection]);
  await observer.cut();
  await operator.until(() => peopleNow(operator)?.length === 1, 'its disconnection');
});

it('[CO3][CO11] control can be transferred to a connected operator, but not to an observer', async () => {
  await operator.request('console/watch', {});
  const second = await server.client('operator');
  await second.request('console/watch', {});
  const observer = await server.client('observer');
  await observer.request('console/watch', {});
  await operator.until(() => peopleNow(operator)?.length === 3, 'three people');
  const { key } = await agent.start(['/bin/cat'], { tty: true });
  const give = (to: string) => operator.request('process/control', { key, take: true, to });

  const labels = (peopleNow(operator) ?? []).map(({ connection, role }) => ({ connection, role }));
  const looking = labels.find(({ role }) => role === 'observer')?.connection ?? '';
  const [, receiving] = labels.filter(({ role }) => role === 'operator');
  await give(receiving?.connection ?? '');
  await operator.until(
    () => latest(operator, key)?.controller === receiving?.connection,
    'the new controller',
  );
  expect(await second.request('process/resize', { key, rows: 30, cols: 100 })).toEqual({});
  const code = ErrorCode.invalidParams;
  await expect(give(looking)).rejects.toMatchObject({
    code,
    message: expect.stringContaining('is read-only'),
  });
  await expect(give('c-nobody')).rejects.toMatchObject({
    code,
    message: expect.stringContaining('c-nobody'),
  });
});
