// Tests of processes of the first dialect, with a mock session: their numbers, stdin and ends (rules FD and PK2).
import { beforeEach, expect, it, vi } from 'vitest';
import type { ChildSpec } from '../host/child.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { StdinFull } from '../keeper/process-view.ts';
import type { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { CommandDialect } from './command-dialect.ts';
import type { Peer } from './peer.ts';

const identity = { tokenId: 't', name: 'the agent', role: 'agent', expiresAtMs: null };
const control = { write: vi.fn(), killNow: vi.fn() };
const start = vi.fn<(description: object, spec: ChildSpec, how: object) => unknown>();
const sandbox = vi.fn<Sandboxes['sandbox']>(() => null);
const decided = vi.fn((_method: string, _params: object, act: () => unknown) => act());
const checkRoom = vi.fn();
let known: Set<string>;
let dialect: CommandDialect;
beforeEach(() => {
  vi.clearAllMocks();
  known = new Set();
  start.mockImplementation((description) => {
    known.add((description as { processId: string }).processId);
    return control;
  });
  const peer = {
    checkHandshake: () => {},
    checkRole: () => {},
    decided,
    identity,
    connection: {},
    session: {
      label: 's-1',
      start,
      process: (id: string) => (known.has(id) ? (control as unknown as ProcessControl) : undefined),
    },
  } as unknown as Peer;
  const limits = { commandBytes: 1000, argumentBytes: 100, policySteps: 10 };
  const sandboxes = { sandbox } as Partial<Sandboxes> as Sandboxes;
  dialect = new CommandDialect(peer, { sandboxes, limits, user: null }, checkRoom);
});

const EXEC = { argv: ['/bin/true', 'x'], cwd: '/tmp', env: { TMPDIR: '/t' }, tty: false, arg0: null };
const exec = (more: object = {}): unknown => dialect.request('command/exec', { ...EXEC, ...more });
const write = (sessionId: string, chunk = 'w6QK'): Promise<unknown> =>
  dialect.request('command/exec/write', { sessionId, chunk }) as Promise<unknown>;

it('[FD2] a command is started exactly as asked, under the next number', () => {
  expect(exec()).toEqual({ sessionId: 'proc-1' });
  expect(exec({ tty: true, arg0: 'name' })).toEqual({ sessionId: 'proc-2' });
  expect(checkRoom).toHaveBeenCalledTimes(4);
  const [[description, spec] = [], [, second] = []] = start.mock.calls;
  expect(description).toEqual({
    processId: 'proc-1',
    startedBy: 'the agent',
    starter: identity,
    metadata: {},
    label: null,
    restartOf: null,
  });
  expect(spec).toMatchObject({
    argv: EXEC.argv,
    arg0: null,
    cwd: '/tmp',
    tty: null,
    pipeStdin: false,
    sandbox: null,
    user: null,
  });
  expect(spec?.env['TMPDIR']).toBe('/t');
  expect(second).toMatchObject({ arg0: 'name', tty: { rows: 24, cols: 80 } });
  expect(sandbox).toHaveBeenCalledWith(null, { cwd: '/tmp', tmpdir: '/t' });
});

it('[FD2] [PK2] a command is decided under an id of its own, and its input under its number', async () => {
  exec();
  exec();
  known.add('proc-1');
  control.write.mockResolvedValue('accepted');
  await write('proc-1');
  expect(decided.mock.calls.map(([method, asked]) => [method, asked])).toEqual([
    ['process/start', { ...EXEC, processId: 'command-1' }],
    ['process/start', { ...EXEC, processId: 'command-2' }],
    ['process/write', { sessionId: 'proc-1', chunk: 'w6QK', processId: 'proc-1' }],
  ]);
});

it('[FD2] a command that is too large, or for which there is no room, gets no number', () => {
  expect(() => exec({ argv: ['x'.repeat(100)] })).toThrow('command/exec: params.argv[0] has 101 bytes');
  expect(() => exec({ env: { A: 'x'.repeat(100) } })).toThrow('params.env.A');
  checkRoom.mockImplementationOnce(() => {
    throw new Error('too many processes');
  });
  expect(() => exec()).toThrow('too many processes');
  expect(exec()).toEqual({ sessionId: 'proc-1' });
});

it('[FD2] a start that fails later frees its number, unless the next one is taken', async () => {
  let fail = (_error: Error): void => {};
  start.mockImplementationOnce(() => new Promise((_resolve, reject) => (fail = reject)));
  const first = exec() as Promise<unknown>;
  fail(new Error('no such program'));
  await expect(first).rejects.toThrow('no such program');
  expect(exec()).toEqual({ sessionId: 'proc-1' });
  start.mockImplementationOnce(() => new Promise((_resolve, reject) => (fail = reject)));
  const second = exec() as Promise<unknown>;
  expect(exec()).toEqual({ sessionId: 'proc-3' });
  fail(new Error('no such program'));
  await expect(second).rejects.toThrow('no such program');
  expect(exec()).toEqual({ sessionId: 'proc-4' });
  start.mockImplementationOnce(() => Promise.resolve(control));
  expect(await exec()).toEqual({ sessionId: 'proc-5' });
});

it('[FD2] each write has its own id, and reports when stdin is closed or full', async () => {
  exec();
  control.write.mockResolvedValue('accepted');
  expect(await write('proc-1')).toEqual({ accepted: true });
  await write('proc-1');
  const writer = { session: 's-1', who: 'the agent' };
  expect(control.write.mock.calls).toEqual([
    [writer, '1', Buffer.from('ä\n')],
    [writer, '2', Buffer.from('ä\n')],
  ]);
  control.write.mockResolvedValue('stdinClosed');
  await expect(write('proc-1')).rejects.toThrow('stdin of session proc-1 is closed');
  control.write.mockRejectedValue(new StdinFull('stdin is full'));
  await expect(write('proc-1')).rejects.toMatchObject({ code: -32603 });
  known.clear();
  await expect(write('proc-1')).rejects.toThrow('stdin of session proc-1 is closed');
});

it('[FD2] a command is killed at once, and a removed one is reported as no longer running', () => {
  exec();
  control.killNow.mockReturnValue({ running: true });
  const terminate = (sessionId: string): unknown => dialect.request('command/exec/terminate', { sessionId });
  expect(terminate('proc-1')).toEqual({ running: true });
  expect(control.killNow).toHaveBeenCalledExactlyOnceWith('the agent');
  known.clear();
  expect(terminate('proc-1')).toEqual({ running: false });
  for (const wrong of ['proc-2', 'xproc-1', 'proc-1x', 'proc-01'])
    expect(() => terminate(wrong)).toThrow(`unknown session id ${wrong}`);
  expect(() => terminate('x'.repeat(300))).toThrow(new RegExp(`^unknown session id x{200}$`));
  for (let made = 1; made < 12; made += 1) exec();
  expect(terminate('proc-12')).toEqual({ running: true });
  expect(() => terminate('proc-13')).toThrow('unknown session id');
});

it('[FD1] a method of the current dialect is unknown, and an error quotes only its beginning', () => {
  expect(() => dialect.request('y'.repeat(300), {})).toThrow(`unknown method "${'y'.repeat(200)}"`);
  expect(() => dialect.request('command/exec', {})).toThrow(/^command\/exec: ./);
});
