// Tests of the params of a start: their limits, defaults and refusals, before anything is spawned.
import { expect, it, vi } from 'vitest';
import type { Requests } from '../../protocol/methods.ts';
import { StdinFull } from '../keeper/process-view.ts';
import { SandboxRefusal } from '../host/sandbox/refusal.ts';
import type { Sandboxes } from '../host/sandbox/sandboxes.ts';
import type { Peer } from './peer.ts';
import {
  checkCommandSize,
  checkPolicySize,
  childSpec,
  sandboxFor,
  shownMetadata,
  usualEnvironment,
  whenLookedUp,
} from './start.ts';
import { notWritten, statusResult } from './stdin.ts';

const limits = { commandBytes: 100, argumentBytes: 40, policySteps: 1e6 };
const sandbox = vi.fn<Sandboxes['sandbox']>(() => null);
const sandboxes = { sandbox } as Partial<Sandboxes> as Sandboxes;
const rules = { sandboxes, limits, user: null };
type Params = Requests['process/start']['params'];
const PARAMS = { processId: 'p', argv: ['ls'], cwd: 'file:///tmp/a%20b', env: {}, tty: false } as Params;

it('a start has the defaults of the reference server', () => {
  const { sandbox: make, env, ...spec } = childSpec({ ...PARAMS, env: { A: 'b' } }, rules);
  expect(spec).toEqual({
    argv: ['ls'],
    arg0: null,
    cwd: '/tmp/a b',
    tty: null,
    pipeStdin: false,
    joinStderr: false,
    user: null,
    intent: null,
  });
  expect(env['A']).toBe('b');
  expect(make()).toBeNull();
  expect(sandbox).toHaveBeenLastCalledWith(null, { cwd: '/tmp/a b', tmpdir: undefined });
});

it('a start has the requested settings', () => {
  const asked = { ...PARAMS, tty: true, arg0: 'x', pipeStdin: true, joinStderr: true } as Params;
  expect(childSpec(asked, rules)).toMatchObject({
    arg0: 'x',
    tty: { rows: 24, cols: 80 },
    pipeStdin: true,
    joinStderr: true,
  });
  expect(childSpec({ ...asked, size: { rows: 5, cols: 6 } }, rules).tty).toEqual({ rows: 5, cols: 6 });
});

it('a start that cannot be carried out exactly is refused with the reason', () => {
  expect(() => childSpec({ ...PARAMS, enforceManagedNetwork: true }, rules)).toThrow('no managed network');
  expect(() => childSpec({ ...PARAMS, cwd: 'file://host/x' }, rules)).toThrow(
    /^process\/start: params\.cwd: ./,
  );
  const envPolicy = {
    inherit: 'all',
    ignoreDefaultExcludes: false,
    exclude: ['*a*b*c*'],
    set: {},
    includeOnly: [],
  } as NonNullable<Params['envPolicy']>;
  expect(childSpec({ ...PARAMS, envPolicy }, rules).argv).toEqual(['ls']);
  expect(() =>
    childSpec({ ...PARAMS, envPolicy }, { ...rules, limits: { ...limits, policySteps: 1 } }),
  ).toThrow(/process\/start: params\.envPolicy: matching .* steps, (and 1 is the limit|but the limit is 1)/);
  const set = { A: 'x'.repeat(40) };
  expect(() => checkPolicySize({ ...envPolicy, set }, limits)).toThrow('params.env.A has 43 bytes');
});

it('the size of a command is limited exactly, and an error names the part', () => {
  const check = (argv: string[], env: Record<string, string> = {}): void =>
    checkCommandSize('m', { argv, env }, limits);
  check(['x'.repeat(39)]);
  expect(() => check(['ls', 'x'.repeat(40)])).toThrow('m: params.argv[1] has 41 bytes, but the limit is 40');
  expect(() => check(['ä'.repeat(20)])).toThrow('has 41 bytes');
  check([], { A: 'x'.repeat(37) });
  expect(() => check([], { A: 'x'.repeat(38) })).toThrow('m: params.env.A has 41 bytes');
  expect(() => check([], { [`${'A'.repeat(64)}B`]: '' })).toThrow(
    `params.env.${'A'.repeat(64)} has 67 bytes`,
  );
  check(['x'.repeat(39), 'x'.repeat(39), 'x'.repeat(15)], { A: 'b' });
  expect(() => check(['x'.repeat(39), 'x'.repeat(39), 'x'.repeat(16)], { A: 'b' })).toThrow(
    'm: params.argv with params.env has 101 bytes, but the limit is 100',
  );
});

it('metadata retains only its strings, cut to the limits for display', () => {
  for (const none of [null, undefined, 'text', 5]) expect(shownMetadata(none)).toEqual({});
  expect(shownMetadata({ a: 'b', c: 5, d: null, e: { f: 'g' } })).toEqual({ a: 'b' });
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at}`, 'x']));
  expect(Object.keys(shownMetadata(many))).toHaveLength(32);
  const long = shownMetadata({ ['n'.repeat(100)]: 'v'.repeat(2000) });
  expect(long).toEqual({ [`${'n'.repeat(64)}…`]: `${'v'.repeat(1024)}…` });
});

it('[SB1] a refusal of a sandbox is the client’s error, and every other error is not', async () => {
  const where = { cwd: '/', tmpdir: undefined };
  const refusal = new SandboxRefusal('no such folder');
  sandbox.mockImplementationOnce(() => {
    throw refusal;
  });
  expect(() => sandboxFor(sandboxes, null, where)).toThrow(
    expect.objectContaining({ code: -32600, message: 'no such folder' }) as Error,
  );
  const broken = new Error('broken');
  sandbox.mockImplementationOnce(() => {
    throw broken;
  });
  expect(() => sandboxFor(sandboxes, null, where)).toThrow(broken);
  sandbox.mockReturnValueOnce(Promise.reject(refusal));
  await expect(sandboxFor(sandboxes, null, where)).rejects.toMatchObject({ code: -32600 });
  sandbox.mockReturnValueOnce(Promise.reject(broken));
  await expect(sandboxFor(sandboxes, null, where)).rejects.toBe(broken);
});

it('a start as the gateway’s own user happens at once, with its sandbox', () => {
  const made = { drop: vi.fn() } as unknown as NonNullable<Awaited<ReturnType<Sandboxes['sandbox']>>>;
  const asked = { ...childSpec(PARAMS, rules), sandbox: () => made };
  expect(whenLookedUp(asked, {} as Peer, (spec) => spec.sandbox)).toBe(made);
  const later = { ...asked, sandbox: () => Promise.resolve(made) };
  expect(() => whenLookedUp(later, {} as Peer, () => 0)).toThrow('misuse');
});

it('the usual environment has a shell, and the gateway’s own takes precedence', () => {
  vi.stubEnv('SHELL', '/bin/other');
  expect(usualEnvironment(null)['SHELL']).toBe('/bin/other');
  vi.stubEnv('SHELL', undefined);
  expect(usualEnvironment(null)['SHELL']).toMatch(/^\//);
  vi.unstubAllEnvs();
});

it('a full stdin is a separate error, and every other error is rethrown', async () => {
  expect(statusResult('accepted')).toEqual({ status: 'accepted' });
  expect(await statusResult(Promise.resolve('stdinClosed'))).toEqual({ status: 'stdinClosed' });
  await expect(statusResult(Promise.reject(new StdinFull('stdin is full')))).rejects.toMatchObject({
    code: -32603,
    message: 'stdin is full',
  });
  const other = new Error('other');
  expect(() => notWritten(other)).toThrow(other);
});
