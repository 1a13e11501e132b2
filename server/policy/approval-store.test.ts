// Tests of the stored policies and pauses of approvals, and of the policy that applies without a gateway.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ApprovalStore, policyIn, storedPolicy, type StoredApprovals } from './approval-store.ts';

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
  store.change({ agents: { ci: 'always' } });
  const pauses = [
    { ...PAUSE, why: 'paused' as const },
    { ...PAUSE, why: 'aborted' as const },
  ];
  store.change({ pauses, rules: { folder: { 'a.rules': 'text' } }, startedWith: 'on-failure' });
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

it('a change that cannot be written changes nothing', () => {
  const store = new ApprovalStore(dir);
  mkdirSync(path);
  expect(() => store.change({ policy: 'always' })).toThrow();
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

it('an agent has its own policy, otherwise the policy of all agents, otherwise the one at the start', () => {
  expect(storedPolicy(dir, 'ci')).toBe('never');
  const all = { ...NOTHING, policy: 'on-request', agents: { ci: 'always' } } as const;
  expect(policyIn(all, 'ci')).toBe('always');
  expect(policyIn(all, 'other')).toBe('on-request');
  expect(policyIn(all, 'toString')).toBe('on-request');
  expect(policyIn({ ...NOTHING, startedWith: 'on-failure' }, 'ci')).toBe('on-failure');
  expect(policyIn({ ...NOTHING, startedWith: 'on-failure' }, 'ci', 'on-request')).toBe('on-request');
  new ApprovalStore(dir).change({ startedWith: 'on-failure' });
  expect(storedPolicy(dir, 'ci')).toBe('on-failure');
});
