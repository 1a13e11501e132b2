// Input, file changes and HTTP requests of agents that wait for approval, at a real gateway: rules AP12 to AP14 and AP22.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { decide, errorOf, GatedServer, waiting, waits } from '../testing/gated-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let gated: GatedServer;
let server: TestServer;
const gate = async (...how: Parameters<typeof GatedServer.start>): Promise<void> => {
  gated = await GatedServer.start(...how);
  ({ server } = gated);
};
afterEach(() => gated.stop());

describe('Input of an agent', () => {
  it('[AP12] waits each time, and is shown, when it is for a terminal without a sandbox', async () => {
    await gate({ approvals: 'on-request' });
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const { processId, key } = await agent.start(['cat'], { tty: true });
    const wrote = agent.write({ processId }, 'one\u001b[31m\n');
    const asked = await waits(operator);
    expect(asked).toMatchObject({
      kind: 'input',
      method: 'process/write',
      key,
      argv: ['cat'],
      input: 'one\\x1b[31m\n',
    });
    expect(await errorOf(decide(operator, asked.id, 'acceptForSession'))).toMatchObject({ code: -32600 });
    await decide(operator, asked.id, 'accept');
    expect(await wrote).toEqual({ status: 'accepted' });
    await agent.waitOutput(processId, 'one');
    const again = errorOf(agent.write({ processId }, 'two\n'));
    await decide(operator, (await waits(operator)).id, 'decline');
    expect(await again).toMatchObject({ code: -32603 });
    await operator.write({ key }, 'three\n');
    await agent.waitOutput(processId, 'three');
    expect(agent.output(processId).toString()).not.toContain('two');
  });

  it('[AP12] needs a separate approval when it is for a shell whose start is waiting', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const started = agent.start(['sh'], { processId: 'p', pipeStdin: true });
    await waits(operator);
    const wrote = errorOf(agent.write({ processId: 'p' }, `touch ${gated.marked('a')}\n`));
    await waits(operator, 2);
    const [start, input] = await waiting(operator);
    expect(input).toMatchObject({ kind: 'input', key: null, argv: ['sh'] });
    await decide(operator, start?.id ?? '', 'accept');
    await started;
    await decide(operator, input?.id ?? '', 'decline');
    expect(await wrote).toMatchObject({ code: -32603 });
    expect(existsSync(gated.marked('a'))).toBe(false);
  });

  it('[AP4] is withdrawn when its agent terminates the process, which then ends at once', async () => {
    await gate({ approvals: 'on-request' });
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const { processId } = await agent.start(['sh'], { tty: true });
    const wrote = errorOf(agent.write({ processId }, `touch ${gated.marked('a')}\n`));
    await waits(operator);
    expect(await agent.request('process/terminate', { processId })).toMatchObject({ running: true });
    expect((await wrote)?.message).toBe('the agent withdrew the request, so nothing was done');
    expect(await waiting(operator)).toEqual([]);
    expect(existsSync(gated.marked('a'))).toBe(false);
  });

  it('[AP12] does not wait when it is for a server on stdio with an approved command line', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const started = agent.start(['cat'], { pipeStdin: true });
    await decide(operator, (await waits(operator)).id, 'accept');
    const { processId } = await started;
    expect(await agent.write({ processId }, 'x')).toEqual({ status: 'accepted' });
  });

  it('[AP22] is withdrawn when its process ends or is never started, and does not wait for one that has ended', async () => {
    await gate({ approvals: 'on-request' });
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const { processId, key } = await agent.start(['cat'], { tty: true });
    const wrote = errorOf(agent.write({ processId }, 'one\n'));
    await waits(operator);
    await operator.request('process/signal', { key, signal: 'kill' });
    expect((await wrote)?.message).toBe('the process has ended, so nothing was done');
    expect(await waiting(operator)).toEqual([]);
    expect(await errorOf(agent.write({ processId }, 'two\n'))).toBeNull();
    const refused = errorOf(agent.start(['rm', '-f', 'x'], { processId: 'p', tty: true }));
    await waits(operator);
    const unwritten = errorOf(agent.write({ processId: 'p' }, 'three\n'));
    await waits(operator, 2);
    const [start] = await waiting(operator);
    await decide(operator, start?.id ?? '', 'decline');
    await refused;
    expect((await unwritten)?.message).toBe('the process was not started, so nothing was done');
    expect(await waiting(operator)).toEqual([]);
  });

  it('[AP22] is withdrawn when the start that it waited for fails, or its process ends', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    for (const [processId, program, why] of [
      ['p', '/nowhere/program', 'the process was not started'],
      ['q', 'true', 'the process has ended'],
    ] as const) {
      const started = errorOf(agent.start([program], { processId, tty: true }));
      await waits(operator);
      const wrote = errorOf(agent.write({ processId }, 'one\n'));
      await waits(operator, 2);
      const [start] = await waiting(operator);
      await decide(operator, start?.id ?? '', 'accept');
      expect((await started) === null).toBe(program === 'true');
      expect((await wrote)?.message).toBe(`${why}, so nothing was done`);
      expect(await waiting(operator)).toEqual([]);
    }
  });

  it('[AP12] is refused when a person cannot read it', async () => {
    await gate({ approvals: 'on-request' });
    const agent = await server.client('agent');
    const { processId } = await agent.start(['cat'], { tty: true });
    expect(await errorOf(agent.write({ processId }, 'x'.repeat(8001)))).toMatchObject({ code: -32603 });
    expect(await errorOf(agent.write({ processId }, 'a\0b'))).toMatchObject({ code: -32603 });
  });

  it('[AP12] does not wait under the policy never', async () => {
    await gate({ approvals: 'never' });
    const agent = await server.client('agent');
    const { processId } = await agent.start(['sh'], { tty: true });
    expect(await agent.write({ processId }, 'exit\n')).toEqual({ status: 'accepted' });
  });
});

describe('File changes and requests under the policy always', () => {
  it('[AP13] wait, and can be accepted for a folder for the session', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const file = (name: string) => ({ path: pathToFileURL(gated.marked(name)).href });
    const data = { dataBase64: Buffer.from('x').toString('base64') };
    const wrote = agent.request('fs/writeFile', { ...file('a'), ...data });
    const asked = await waits(operator);
    expect(asked).toMatchObject({ kind: 'file', method: 'fs/writeFile', cwd: gated.marked('a'), argv: [] });
    await decide(operator, asked.id, 'acceptForSession');
    await wrote;
    await agent.request('fs/writeFile', { ...file('b'), ...data });
    expect(readFileSync(gated.marked('b'), 'utf8')).toBe('x');
    await agent.request('fs/readFile', file('a'));
    const others = [
      agent.request('fs/createDirectory', file('c/d')),
      agent.request('fs/writeFile', { path: 'file:///etc/none/x', ...data }),
    ].map(errorOf);
    for (const { id } of [await waits(operator, 2), ...(await waiting(operator)).slice(0, 1)])
      await decide(operator, id, 'decline');
    expect((await Promise.all(others)).map((error) => error?.code)).toEqual([-32603, -32603]);
  });

  it('[AP13] wait for each host, and network rules apply under every policy', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const request = (url: string) =>
      errorOf(agent.request('http/request', { method: 'GET', url, headers: [], requestId: 'r' }));
    const asked = request('http://127.0.0.1:1/path?secret=1');
    const waits1 = await waits(operator);
    expect(waits1).toMatchObject({ kind: 'request', cwd: 'http://127.0.0.1:1/path' });
    await decide(operator, waits1.id, 'decline');
    expect((await asked)?.message).toBe('declined by the operator');
    await server.client('admin').then(async (admin) => {
      const text = 'network_rule(host="127.0.0.1", protocol="http", decision="deny", justification="no")';
      await admin.request('console/writeRules', { text });
      await admin.request('console/setPolicy', { policy: 'never' });
    });
    expect((await request('http://127.0.0.1:1/'))?.message).toBe('a network rule forbids 127.0.0.1: no');
  });
});

it('[AP14] a process that the gateway started cannot decide, whatever token it has', async () => {
  await gate({ approvals: 'never' });
  const [agent, operator] = [await server.client('agent'), await server.client('operator')];
  const script = join(gated.folder, 'decide.mjs');
  writeFileSync(
    script,
    `import { WebSocket } from '${pathToFileURL(join(import.meta.dirname, '../../node_modules/ws/wrapper.mjs')).href}';
const ws = new WebSocket(process.argv[2], { headers: { authorization: 'Bearer ' + process.argv[3] } });
const send = (message) => ws.send(JSON.stringify(message));
ws.on('open', () => {
  send({ id: 1, method: 'initialize', params: { clientName: 'x' } });
  send({ method: 'initialized' });
  send({ id: 2, method: 'console/setPolicy', params: { policy: 'never' } });
  send({ id: 3, method: 'console/unpause', params: { all: true } });
  send({ id: 4, method: 'console/pause', params: { agent: 'nobody' } });
});
ws.on('message', (data) => {
  const { id, error } = JSON.parse(data);
  if (id > 1) console.log(id, error?.code ?? 'done');
  if (id === 4) process.exit(0);
});`,
  );
  const node = [process.execPath, script, server.url, server.token('admin')];
  for (const argv of [node, ['setsid', '--fork', ...node]]) {
    const { processId } = await agent.start(argv);
    await agent.waitOutput(processId, '4 done');
    expect(agent.output(processId).toString()).toBe('2 -32021\n3 -32021\n4 done\n');
  }
  await operator.request('console/setPolicy', { policy: 'never' });
  await operator.request('console/unpause', { all: true });
});
