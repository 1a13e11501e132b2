// Tests of the stored policies and pauses of approvals, and of the policy that applies without a gateway.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ApprovalStore, policyIn, storedPolicy, type StoredApprovals } from './approval-store.ts';
import { Locked } from './file-lock.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-approvals-'));
  path = join(dir, 'approvals.json');
  return () => rmSync(dir, { recursive: true });
});

const NOTHING: StoredApprovals = { policy: null, agents: {}, pauses: [], rules: {} };
const PAUSE = { id: '1', agent: 'ci', session: null, thread: null, by: 'Ada', atMs: 5 };

it('nothing is stored at first, and each change is stored beside the others', () => {
  const store = new ApprovalStore(dir);
  expect(store.stored).toEqual(NOTHING);
  store.change(() => ({ agents: { ci: 'always' } }));
  const pauses = [
    { ...PAUSE, why: 'paused' as const },
    { ...PAUSE, why: 'aborted' as const },
  ];
  store.change(() => ({ pauses, rules: { folder: { 'a.rules': 'text' } }, startedWith: 'on-failure' }));
  const all = {
    ...NOTHING,
    agents: { ci: 'always' },
    pauses,
    rules: { folder: { 'a.rules': 'text' } },
    startedWith: 'on-failure',
  };
  expect(store.stored).toEqual(all);
  expect(new ApprovalStore(dir).stored).toEqual(all);
  expect(readFileSync(path, 'utf8')).toMatch(/^\{\n {2}"policy": null,[^]*\}\n$/);
});

it('[AP11] a change retains what another gateway has stored, which applies here after a restart', () => {
  const [one, other] = [new ApprovalStore(dir), new ApprovalStore(dir)];
  one.change(({ pauses }) => ({ pauses: [...pauses, { ...PAUSE, why: 'paused' }] }));
  other.change(({ agents }) => ({ agents: { ...agents, ci: 'always' } }));
  expect(other.stored).toEqual({ ...NOTHING, agents: { ci: 'always' } });
  const all = { ...NOTHING, agents: { ci: 'always' }, pauses: [{ ...PAUSE, why: 'paused' }] };
  expect(new ApprovalStore(dir).stored).toEqual(all);
  one.reload();
  expect(one.stored).toEqual(all);
});

it('[AP11] a change is not written by a gateway that has lost its lock by stalling', () => {
  const store = new ApprovalStore(dir);
  store.change(() => ({ policy: 'always' }));
  const before = readFileSync(path, 'utf8');
  const change = (): void => {
    // `change` calls its function with the state that applies here, then, under the lock, with that in the file.
    let calls = 0;
    store.change(() => {
      calls += 1;
      if (calls === 2) writeFileSync(`${path}.lock`, 'somebody else');
      return { policy: 'never' };
    });
  };
  expect(change).toThrow(Locked);
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(store.stored.policy).toBe('always');
});

it.each([
  ['removed', () => rmSync(path)],
  ['damaged', () => writeFileSync(path, '{')],
])('a change writes everything that applies when the file was %s', (_, spoil) => {
  const store = new ApprovalStore(dir);
  store.change(() => ({ policy: 'always' }));
  spoil();
  store.change(() => ({ startedWith: 'never' }));
  expect(new ApprovalStore(dir).stored).toEqual({ ...NOTHING, policy: 'always', startedWith: 'never' });
});

it('a change fails while another process has the lock of the file', () => {
  const store = new ApprovalStore(dir);
  writeFileSync(`${path}.lock`, `elsewhere 1 x`);
  expect(() => store.change(() => ({ policy: 'always' }))).toThrow(Locked);
  expect(store.stored).toEqual(NOTHING);
});

it('the policy of an agent with any name is stored', () => {
  new ApprovalStore(dir).change(() => ({ agents: { ['__proto__']: 'always', ci: 'never' } }));
  expect(policyIn(new ApprovalStore(dir).stored, '__proto__')).toBe('always');
  expect(policyIn(new ApprovalStore(dir).stored, 'ci')).toBe('never');
});

it('a change that cannot be written changes nothing', () => {
  const store = new ApprovalStore(dir);
  mkdirSync(path);
  expect(() => store.change(() => ({ policy: 'always' }))).toThrow();
  expect(store.stored).toEqual(NOTHING);
  expect(readdirSync(dir)).toEqual(['approvals.json']);
});

it.each([
  '',
  '[]',
  '{}',
  JSON.stringify({ ...NOTHING, policy: 'sometimes' }),
  JSON.stringify({ ...NOTHING, pauses: [{ ...PAUSE, why: 'tired' }] }),
  JSON.stringify({ ...NOTHING, pauses: [{}] }),
])('a damaged file is an error, and means the strictest policy without a gateway (%s)', (text) => {
  writeFileSync(path, text);
  expect(() => new ApprovalStore(dir)).toThrow(`${path} is damaged; restore it`);
  expect(storedPolicy(dir, 'ci')).toBe('always');
});

it('an unreadable file is an error that gives the reason', () => {
  mkdirSync(path);
  expect(() => new ApprovalStore(dir)).toThrow(`${path} is a folder, not a file; remove it`);
  expect(storedPolicy(dir, 'ci')).toBe('always');
});

it('an agent has its own policy, otherwise the policy of all agents, otherwise the one that the gateway was started with', () => {
  expect(storedPolicy(dir, 'ci')).toBe('never');
  const all = { ...NOTHING, policy: 'on-request', agents: { ci: 'always' } } as const;
  expect(policyIn(all, 'ci')).toBe('always');
  expect(policyIn(all, 'other')).toBe('on-request');
  expect(policyIn(all, 'toString')).toBe('on-request');
  expect(policyIn({ ...NOTHING, startedWith: 'on-failure' }, 'ci')).toBe('on-failure');
  expect(policyIn({ ...NOTHING, startedWith: 'on-failure' }, 'ci', 'on-request')).toBe('on-request');
  new ApprovalStore(dir).change(() => ({ startedWith: 'on-failure' }));
  expect(storedPolicy(dir, 'ci')).toBe('on-failure');
});
