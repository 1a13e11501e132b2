// Entries of the audit log for several people at a real gateway: rules AD1, AD2, AD4 and AD6 to AD8.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../protocol/audit.ts';
import { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

const REFUSALS = 40;
const PER_MINUTE = 20;

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start({ auditPerMinute: PER_MINUTE, refusalsPerMinute: REFUSALS });
});
afterEach(() => server.stop());

const read = async (client: TestClient, params: object = {}): Promise<readonly AuditEntry[]> =>
  (await client.request<{ entries: AuditEntry[] }>('console/audit', params)).entries.toReversed();
const shown = (entries: readonly AuditEntry[]): string[] =>
  entries.map(({ who, act, bytes }) => `${who}: ${act}${bytes === undefined ? '' : ` ${bytes}`}`);

it('[AD1][AD2] the audit log records who did what to a process, and the size of input but never its text', async () => {
  const agent = await server.client('agent');
  const operator = await server.client('operator');
  const { key, processId } = await agent.start(['/bin/cat', 'my secret'], { tty: true });
  await operator.request('process/attach', { key });
  await operator.request('process/control', { key, take: true });
  await operator.request('process/resize', { key, rows: 30, cols: 90 });
  await operator.write({ key }, 'pass');
  await operator.write({ key }, 'word\n');
  await agent.write({ processId }, 'x');
  await operator.request('process/signal', { key, signal: 'interrupt' });
  await operator.request('process/terminate', { key, graceMs: 0 });
  const entries = await read(operator, { key });
  expect(shown(entries)).toEqual([
    'the agent: start',
    'the operator: attach',
    'the operator: takeControl',
    'the operator: resize',
    'the operator: input 9',
    'the agent: input 1',
    'the operator: signal',
    'the operator: terminate',
  ]);
  expect(entries[0]).toMatchObject({ details: { argv: ['/bin/cat', 'my secret'] }, role: 'agent' });
  const files = ['audit.jsonl', 'audit-visits.jsonl'];
  const file = files.map((name) => readFileSync(join(server.stateDir, name), 'utf8')).join('');
  expect(file).not.toContain('password');
  expect(file.trim().split('\n').length).toBeGreaterThanOrEqual(entries.length);
});

it('[AD4] the audit log has every connection and sign-in, admitted or refused', async () => {
  const operator = await server.client('operator');
  const observer = await server.client('observer');
  await expect(observer.request('process/signal', { key: 'x', signal: 'kill' })).rejects.toThrow();
  await expect(observer.request('console/audit', {})).rejects.toMatchObject({ code: -32021 });
  await observer.cut();
  await expect(TestClient.open(server.url, { token: 'guessed' })).rejects.toThrow('401');
  const evil = { headers: { origin: 'http://evil.example' }, token: server.token('operator') };
  await expect(TestClient.open(server.url, evil)).rejects.toThrow('403');
  const page = new URL(server.addresses.pageUrl());
  const code = new URLSearchParams(page.hash.slice(1)).get('code');
  await fetch(new URL('/auth/exchange', page), {
    method: 'POST',
    body: JSON.stringify({ code }),
    headers: { origin: page.origin },
  });
  const entries = await read(operator);
  expect(shown(entries)).toEqual([
    'the operator: connected',
    'the observer: connected',
    'the observer: refused',
    'the observer: refused',
    'the observer: disconnected',
    ': refused',
    ': refused',
    'operator: signIn',
  ]);
  expect(entries.at(-3)).toMatchObject({
    details: { path: '/' },
    from: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
  });
  expect(JSON.stringify(entries)).not.toContain('guessed');
});

it('[AD1][AD7] the audit log has acts in the first dialect like those in the current one', async () => {
  const agent = await server.client('agent');
  const operator = await server.client('operator');
  const exec = { argv: ['/bin/sh', '-c', 'echo up; cat'], cwd: '/tmp', env: {}, tty: true };
  const { sessionId } = await agent.request<{ sessionId: string }>('command/exec', exec);
  await agent.until(
    () => agent.log.some(({ method }) => method === 'command/exec/outputDelta'),
    'its first output',
  );
  await agent.request('command/exec/write', { sessionId, chunk: 'aGk=' });
  await agent.request('command/exec/terminate', { sessionId });
  const [start, ...others] = await read(operator, { who: 'the agent' }).then((entries) =>
    entries.filter(({ key }) => key !== null),
  );
  expect(start).toMatchObject({ act: 'start', details: { argv: exec.argv, cwd: '/tmp' } });
  expect(others.map(({ act, key, bytes }) => [act, key, bytes])).toEqual([
    ['input', start?.key, 2],
    ['terminate', start?.key, undefined],
  ]);
});

it('[AD7] the audit log has failed attempts', async () => {
  const agent = await server.client('agent');
  const operator = await server.client('operator');
  const again = { processId: 'twice', argv: ['/bin/cat', 'first'] };
  await agent.start(again.argv, { processId: again.processId });
  await expect(agent.start(['/bin/cat', 'second'], { processId: again.processId })).rejects.toThrow();
  await expect(operator.request('process/terminate', { key: 'none' })).rejects.toThrow();
  expect(await read(operator, { act: 'failed' })).toMatchObject([
    {
      who: 'the agent',
      key: null,
      details: {
        method: 'process/start',
        argv: ['/bin/cat', 'second'],
        reason: 'process twice already exists',
      },
    },
    { who: 'the operator', key: 'none', details: { method: 'process/terminate' } },
  ]);
});

it('[AD6][AD8] repeated acts are logged up to a limit, and a client with many refusals is disconnected', async () => {
  const operator = await server.client('operator');
  const observer = await server.client('observer');
  const { key } = await operator.start(['/bin/cat'], { tty: true });
  await operator.request('process/control', { key, take: true });
  for (let count = 0; count < 2 * PER_MINUTE; count += 1)
    await operator.request('process/resize', { key, rows: 20 + (count % 2), cols: 80 });
  const refused = (): Promise<unknown> => observer.request('process/terminate', { key });
  for (let count = 0; count < REFUSALS; count += 1) await expect(refused()).rejects.toThrow('observer');
  await Promise.allSettled([refused()]);
  expect(await observer.waitClose()).toMatchObject({ code: 4429 });
  await operator.request('process/terminate', { key, graceMs: 0 });
  const entries = await read(operator);
  const of = (who: string): number => entries.filter((entry) => entry.who === who).length;
  expect(of('the observer')).toBe(PER_MINUTE + 1);
  // The log has the repeated acts, a note that there were more, and the start and the end of the process.
  expect(of('the operator')).toBe(PER_MINUTE + 1 + 2);
  expect(entries.at(-1)).toMatchObject({ act: 'terminate', key });
});

it('[AD1][AD7] the audit log has changes to files, and their failures', async () => {
  const agent = await server.client('agent');
  const operator = await server.client('operator');
  const at = (name: string): string => `file://${server.stateDir}/../${name}`;
  await agent.request('fs/createDirectory', { path: at('made') });
  await agent.request('fs/open', { path: at('made/one'), handleId: 'h', mode: 'replace' });
  await agent.request('fs/writeBlock', { handleId: 'h', offset: 0, chunk: 'aGk=' });
  await agent.request('fs/close', { handleId: 'h' });
  const copy = { sourcePath: at('made/one'), destinationPath: at('made/two'), recursive: false };
  await agent.request('fs/copy', copy);
  await expect(agent.request('fs/copy', { ...copy, sourcePath: at('none') })).rejects.toThrow();
  const done = (await read(operator, { who: 'the agent' })).map(({ act, details }) => [
    act,
    details?.['path'],
  ]);
  expect(done.slice(1)).toEqual([
    ['createDirectory', at('made')],
    ['writeFile', at('made/one')],
    ['copyFile', at('made/two')],
    ['copyFile', at('made/two')],
    ['failed', at('made/two')],
  ]);
});
