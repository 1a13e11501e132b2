// Tests of updates of processes that only printed, over real sockets: rules CO13 to CO15, and the members withheld
// from observers.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ShareResult } from '../../protocol/access.ts';
import type { ConsoleChanged, PrintedInfo, ProcessInfo } from '../../protocol/console.ts';
import { latest } from '../testing/latest-info.ts';
import { SECRET_VECTORS } from '../testing/secret-vectors.ts';
import { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
beforeEach(async () => {
  server = await TestServer.start({ changedSoonMs: 5, changedLaterMs: 20, printedAtOnce: 1 });
  agent = await server.client('agent');
  operator = await server.client('operator');
});
afterEach(() => server.stop());

const ECHO = ['sh', '-c', 'stty -echo; while read -r line; do echo "$line"; done'];

const changes = (client: TestClient): ConsoleChanged[] =>
  client.log.flatMap(({ method, params }) =>
    method === 'console/changed' ? [params as unknown as ConsoleChanged] : [],
  );
const printed = (client: TestClient, key: string): PrintedInfo[] =>
  changes(client).flatMap((change) => (change.printed ?? []).filter((info) => info.key === key));
const lastPrinted = (client: TestClient, key: string, lastLine: string): Promise<PrintedInfo> =>
  client.until(() => {
    const info = printed(client, key).at(-1);
    return info?.lastLine === lastLine && info;
  }, `the line ${lastLine}`);

async function startEcho(
  text: string,
): Promise<{ key: string; processId: string; report: (line: string) => void }> {
  const { key, processId } = await agent.start(ECHO, { tty: true });
  let count = 0;
  const report = (line: string): void => {
    count += 1;
    void agent.request('process/write', {
      processId,
      writeId: String(count),
      chunk: Buffer.from(`${line}\n`).toString('base64'),
    });
  };
  report(text);
  await agent.waitOutput(processId, text);
  return { key, processId, report };
}

it('[CO14] a brief watcher gets only the members that printing changes, and others get whole objects', async () => {
  const whole = await server.client('operator');
  await whole.request('console/watch', {});
  await operator.request('console/watch', { isBrief: true });
  const { key, report } = await startEcho('one');
  report('two');
  const info = await lastPrinted(operator, key, 'two');
  expect(Object.keys(info).toSorted()).toEqual([
    'firstRetainedSeq',
    'key',
    'lastInput',
    'lastLine',
    'lastOutputAtMs',
    'nextSeq',
    'outputBytes',
    'progress',
    'title',
  ]);
  const [same] = await whole.until(() => {
    const now = latest(whole, key);
    return now?.lastLine === 'two' && [now];
  }, 'the whole object');
  expect(same).toMatchObject({ ...info, key, tty: true, state: 'running' } satisfies Partial<ProcessInfo>);
  expect(changes(whole).some((change) => change.printed)).toBe(false);
});

it('[CO14] a repeated console/watch makes a watcher brief', async () => {
  await operator.request('console/watch', {});
  await operator.request('console/watch', { isBrief: true });
  const { key, report } = await startEcho('one');
  report('two');
  await lastPrinted(operator, key, 'two');
});

it('[CO13] attached and visible processes are sent in addition to those whose turn it is', async () => {
  const noise = await agent.start(['sh', '-c', 'while sleep 0.002; do echo x; done'], { tty: true });
  const [attached, looked] = [await startEcho('a'), await startEcho('l')];
  await operator.request('process/attach', { key: attached.key });
  await operator.request('console/look', { keys: [looked.key] });
  await operator.request('console/watch', { isBrief: true });
  const together = (): boolean =>
    changes(operator).some(({ printed: sent = [] }) => {
      const keys = new Set(sent.map((info) => info.key));
      return keys.size === 2 && keys.has(noise.key) && (keys.has(attached.key) || keys.has(looked.key));
    });
  for (let turn = 0; turn < 200 && !together(); turn += 1) {
    attached.report(`a${turn}`);
    looked.report(`l${turn}`);
    await lastPrinted(operator, looked.key, `l${turn}`);
  }
  expect(together()).toBe(true);
});

it('[CO15] a hidden watcher gets no printing updates until it is shown again, but exits at once', async () => {
  const { key, report } = await startEcho('one');
  const other = await agent.start(['sleep', '1000']);
  await operator.request('console/watch', { isBrief: true });
  await operator.request('console/look', { keys: [], isHidden: true });
  const looking = await server.client('operator');
  await looking.request('console/watch', { isBrief: true });
  report('two');
  await lastPrinted(looking, key, 'two');
  await operator.request('process/terminate', { key: other.key, graceMs: 0 });
  await operator.until(() => latest(operator, other.key)?.state === 'closed', 'the end of the other');
  expect(printed(operator, key)).toEqual([]);
  await operator.request('console/look', { keys: [] });
  await lastPrinted(operator, key, 'two');
});

it('[CO15] console/look sends the updates of visible processes before its answer', async () => {
  const slow = await TestServer.start({ changedSoonMs: 5, changedLaterMs: 3_600_000 });
  try {
    [agent, operator] = [await slow.client('agent'), await slow.client('operator')];
    const { key, processId, report } = await startEcho('one');
    await operator.request('console/watch', { isBrief: true });
    await operator.request('console/look', { keys: [], isHidden: true });
    report('two');
    await agent.waitOutput(processId, 'two');
    await operator.request('console/look', { keys: [key] });
    expect(printed(operator, key).map(({ lastLine }) => lastLine)).toEqual(['two']);
  } finally {
    await slow.stop();
  }
});

it('[SC4] printing updates have secrets masked for observers, and [SH2] a guest gets only its shared process', async () => {
  const [secret = ''] = SECRET_VECTORS.map((vector) => vector.secret);
  const observer = await server.client('observer');
  const [shown, hidden] = [await startEcho('s'), await startEcho('h')];
  const { url } = await operator.request<ShareResult>('console/share', { key: shown.key, ttlMs: 60_000 });
  const guest = await guestOf(url);
  for (const client of [observer, guest]) await client.request('console/watch', { isBrief: true });
  await operator.request('process/write', { key: shown.key, writeId: '1', chunk: 'bwo=' });
  hidden.report(`ghp_${secret}`);
  await lastPrinted(observer, hidden.key, `ghp_${'*'.repeat(secret.length)}`);
  const sent = await lastPrinted(guest, shown.key, 'o');
  expect(sent.lastInput).toMatchObject({ who: 'somebody', session: '' });
  expect(JSON.stringify(guest.log)).not.toContain(hidden.key);
  for (const client of [observer, guest]) expect(JSON.stringify(client.log)).not.toContain(secret);
});

async function guestOf(url: string): Promise<TestClient> {
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
