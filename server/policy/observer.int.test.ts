// Tests that an observer cannot write in any way over the wire: rule LI12.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
let observer: TestClient;
let own: { readonly processId: string; readonly key: string };
let consoles: { readonly processId: string; readonly key: string };
beforeEach(async () => {
  // The processes survive SIGTERM, so the shutdown takes the whole grace period, which is short for that reason.
  server = await TestServer.start({ shutdownGraceMs: 50 });
  [agent, operator, observer] = await Promise.all([
    server.client('agent'),
    server.client('operator'),
    server.client('observer'),
  ]);
  // Each process prints its input, and a line for each signal in `trap`, including SIGWINCH from a resize.
  const argv = [
    '/bin/sh',
    '-c',
    'trap "echo heard" INT TERM HUP QUIT WINCH; echo ready; while :; do read -r line && echo "read $line"; done',
  ];
  own = await agent.start(argv, { tty: true });
  consoles = await operator.start(argv, { tty: true, session: 'console' });
  await agent.waitOutput(own.processId, 'ready');
  await operator.waitOutput(consoles.key, 'ready');
});
afterEach(() => server.stop());

const info = async (key: string): Promise<ProcessInfo | undefined> => {
  const { processes } = await operator.request<{ processes: ProcessInfo[] }>('console/watch', {});
  return processes.find((process) => process.key === key);
};

/** Returns the requests that change a process, with this address. */
function attempts(address: object): readonly (readonly [string, object])[] {
  return [
    ['process/write', { ...address, chunk: 'aGkK', writeId: 'w' }],
    ['process/closeStdin', address],
    ['process/signal', { ...address, signal: 'interrupt' }],
    ['process/terminate', address],
    ['process/resize', { ...address, rows: 5, cols: 5 }],
  ];
}

const elsewhere = (): readonly (readonly [string, object])[] => [
  ['process/control', { key: own.key, take: true }],
  ['process/control', { key: own.key, take: true, to: operator.sessionId }],
  ['process/control', { key: consoles.key, take: false }],
  ['process/restart', { key: own.key, newProcessId: 'again' }],
  ['process/start', start({})],
  ['process/start', start({ session: 'console' })],
  ['http/request', { method: 'GET', url: server.url.replace('ws', 'http'), headers: [], requestId: 'r' }],
  ['fs/writeFile', { path: 'file:///tmp/never', dataBase64: '' }],
  ['fs/createDirectory', { path: 'file:///tmp/never', recursive: true }],
  ['fs/remove', { path: 'file:///tmp/never', recursive: true }],
  ['fs/copy', { sourcePath: 'file:///tmp', destinationPath: 'file:///tmp/never', recursive: true }],
  ['fs/open', { path: 'file:///tmp/never', handleId: 'h', mode: 'replace' }],
  ['fs/readFile', { path: `file://${server.stateDir}/tokens.json` }],
  ['console/createToken', { name: 'mine', role: 'admin', ttlMs: null }],
  ['console/revokeToken', { id: 'any' }],
  ['console/share', { key: own.key }],
  ['console/audit', {}],
];
const start = (more: object): object => ({
  processId: 'mine',
  argv: ['true'],
  cwd: 'file:///tmp',
  env: {},
  tty: false,
  ...more,
});

it('[LI12] an observer cannot change anything, and each attempt is in the audit log', async () => {
  const before = [await info(own.key), await info(consoles.key)];
  const tries = [...attempts({ key: own.key }), ...attempts({ key: consoles.key }), ...elsewhere()];
  const outcomes = await Promise.allSettled(
    tries.map(([method, params]) => observer.request(method, params)),
  );
  for (const [at, outcome] of outcomes.entries()) {
    expect([tries[at]![0], outcome]).toMatchObject([
      tries[at]![0],
      { status: 'rejected', reason: { code: -32021, message: expect.stringContaining('observer') } },
    ]);
  }
  for (const [at, key] of [own.key, consoles.key].entries()) {
    const { state, size, controller, acts, lastInput, outputBytes } = before[at]!;
    expect(await info(key)).toMatchObject({ state, size, controller, acts, lastInput, outputBytes });
  }
  const { entries } = await operator.request<{ entries: { act: string; role: string; details: object }[] }>(
    'console/audit',
    { limit: 1000 },
  );
  const refused = entries.filter(({ act, role }) => act === 'refused' && role === 'observer');
  expect(refused.map(({ details }) => (details as { method: string }).method).sort()).toEqual(
    tries.map(([method]) => method).sort(),
  );
});

it('[LI12] an observer cannot reach other sessions by their process ids or session ids', async () => {
  for (const [method, params] of attempts({ processId: own.processId }))
    await expect(observer.request(method, params)).rejects.toMatchObject({ code: -32021 });
  for (const sessionId of [agent.sessionId, operator.sessionId, 'console']) {
    const thief = await server.open('observer');
    await expect(thief.initialize(sessionId)).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining('unknown session id'),
    });
  }
  await expect(agent.request('environment/status')).resolves.toBeDefined();
});

it.each([
  [
    'another spelling of the method',
    '"method":"Process/Write","params":{"key":KEY,"chunk":"aGkK","writeId":"w"}',
  ],
  [
    'the method given twice',
    '"method":"console/unwatch","method":"process/write","params":{"key":KEY,"chunk":"aGkK","writeId":"w"}',
  ],
  [
    'the method hidden in another spelling of JSON',
    '"method":"process\\u002fwrite","params":{"key":KEY,"chunk":"aGkK","writeId":"w"}',
  ],
  [
    'the key given twice',
    '"method":"process/write","params":{"key":"none","key":KEY,"chunk":"aGkK","writeId":"w"}',
  ],
  [
    'the params given twice',
    '"method":"process/terminate","params":{"processId":"none"},"params":{"key":KEY}',
  ],
  ['an id beside the key', '"method":"process/terminate","params":{"processId":"none","key":KEY}'],
  [
    'a key from the prototype',
    '"method":"process/terminate","params":{"__proto__":{"key":KEY},"processId":"none"}',
  ],
  [
    'a role from the prototype',
    '"method":"process/terminate","params":{"key":KEY},"__proto__":{"role":"admin"}',
  ],
  ['a role of its own', '"method":"process/terminate","params":{"key":KEY,"role":"admin"},"role":"admin"'],
])('[LI12] an observer gains nothing by %s', async (_what, members) => {
  observer.wire.send(`{"id":"try",${members.replace('KEY', JSON.stringify(own.key))}}`);
  const reply = await observer.until(() => observer.log.find(({ id }) => id === 'try'), 'the refusal');
  expect([-32021, -32601, -32602]).toContain(reply.error?.code);
  expect(await info(own.key)).toMatchObject({ state: 'running', lastInput: null, terminatingSinceMs: null });
});

it('[LI12] an observer cannot be given control', async () => {
  const { console } = (await (await server.open('observer')).initialize()) as {
    console: { connection: string };
  };
  await observer.request('console/watch', {});
  const { people } = await operator.request<{ people: { connection: string; role: string }[] }>(
    'console/watch',
    {},
  );
  const watching = people.find(({ role }) => role === 'observer')!.connection;
  for (const to of [watching, console.connection]) {
    await expect(operator.request('process/control', { key: own.key, take: true, to })).rejects.toMatchObject(
      {
        code: -32602,
      },
    );
  }
  expect((await info(own.key))?.controller).toBeNull();
});
