// Tests of the identity, descent and rights of tokens.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { makeAgentToken } from './agent-tokens.ts';
import { ownsProcesses, seesGateway } from './roles.ts';
import { Shares } from './shares.ts';
import { Tokens } from './tokens.ts';

let dir: string;
let tokens: Tokens;
beforeEach(() => {
  vi.useFakeTimers();
  dir = mkdtempSync(join(tmpdir(), 'exec-console-tokens-'));
  tokens = new Tokens(dir);
  return () => {
    vi.useRealTimers();
    rmSync(dir, { recursive: true });
  };
});

const person = (name: string, ttlMs: number | null = null) =>
  tokens.create({ name, role: 'operator', ttlMs }).identity;
const agentOf = (giver: ReturnType<typeof person>, ttlMs: number | null = null) =>
  makeAgentToken(tokens, { name: 'agent', ttlMs, giver, isConnected: () => false }).identity;

it('an identity is found by the id of its token, stored or foreign, until that has ended', () => {
  const [ada, brief] = [person('Ada'), person('brief', 1000)];
  tokens.accept('secret', 'token file', 'admin');
  const [foreign] = tokens.foreign();
  expect(foreign).toMatchObject({ name: 'token file', role: 'admin', kind: 'gateway', expiresAtMs: null });
  expect(foreign?.id).toMatch(/^file-[0-9a-f]{12}$/);
  expect(tokens.identityWith(ada.tokenId)).toEqual(ada);
  expect(tokens.identityWith(foreign?.id ?? '')).toMatchObject({ name: 'token file', role: 'admin' });
  expect(tokens.identityWith('nobody')).toBeNull();
  expect(tokens.identityWith(brief.tokenId)).toEqual(brief);
  vi.advanceTimersByTime(1000);
  expect(tokens.identityWith(brief.tokenId)).toBeNull();
});

it('isGivenBy is true for every descendant of a token, and for nothing else', () => {
  const [ada, eve] = [person('Ada'), person('Eve')];
  const agent = agentOf(ada);
  const { share } = new Shares(tokens).create({ key: null, ttlMs: 1000, by: ada });
  const isAdas = (id: string): boolean => tokens.isGivenBy(id, ada.tokenId);
  expect([agent.tokenId, share.id].map(isAdas)).toEqual([true, true]);
  expect([ada.tokenId, eve.tokenId, 'nobody'].map(isAdas)).toEqual([false, false, false]);
  expect(tokens.isGivenBy(agent.tokenId, eve.tokenId)).toBe(false);
});

it('[AU18] an agent’s token expires after its own lifetime, and never later than its creator’s', () => {
  const [ada, brief] = [person('Ada'), person('brief', 1000)];
  const now = Date.now();
  expect(agentOf(ada).expiresAtMs).toBeNull();
  expect(agentOf(ada, 500).expiresAtMs).toBe(now + 500);
  expect(agentOf(brief, 500).expiresAtMs).toBe(now + 500);
  expect(agentOf(brief, 5000).expiresAtMs).toBe(now + 1000);
});

it('guests are listed beside their shares, and only shares are listed as shares', () => {
  const shares = new Shares(tokens);
  const { secret, share } = shares.create({ key: 'k', ttlMs: 1000, by: person('Ada') });
  expect(shares.guests()).toEqual([]);
  const opened = shares.open(secret, () => false);
  if (typeof opened === 'string') throw new Error(opened);
  expect(shares.guests().map(({ id, parent, key }) => ({ id, parent, key }))).toEqual([
    { id: opened.identity.tokenId, parent: share.id, key: 'k' },
  ]);
  expect(shares.list().map(({ id }) => id)).toEqual([share.id]);
  expect(tokens.list().map(({ name }) => name)).toEqual(['Ada']);
});

it('an agent’s right to decide in its own client is stored, and absent by default', () => {
  const { token, identity } = tokens.create({ name: 'a', role: 'agent', ttlMs: null, mayElicit: true });
  expect(identity.mayElicit).toBe(true);
  expect(new Tokens(dir).verify(token)?.mayElicit).toBe(true);
  expect(person('Ada')).not.toHaveProperty('mayElicit');
  expect(readFileSync(join(dir, 'tokens.json'), 'utf8').match(/mayElicit/g)).toHaveLength(1);
});

it('[AU4] neither agents nor guests see the state of the gateway, and only some may start processes', () => {
  const base = { tokenId: 't', name: 'x', expiresAtMs: null };
  const roles = ['agent', 'observer', 'operator', 'admin'] as const;
  expect(roles.map((role) => seesGateway({ ...base, role }))).toEqual([false, true, true, true]);
  expect(roles.map((role) => ownsProcesses({ ...base, role }))).toEqual([true, false, true, true]);
  const guest = (key: string | null) => seesGateway({ ...base, role: 'observer', share: { id: 's', key } });
  expect([guest('k'), guest(null)]).toEqual([false, false]);
});

it('[AU21] only the revocation of an existing token or share is reported, each by its own method', () => {
  const { share } = new Shares(tokens).create({ key: null, ttlMs: 1000, by: person('Ada') });
  const ended = vi.fn();
  const unwatch = tokens.watch(ended);
  expect(tokens.revoke('nobody')).toBe(false);
  expect(tokens.revoke(share.id)).toBe(false);
  expect(new Shares(tokens).revoke(tokens.list()[0]?.id ?? '')).toBe(false);
  expect(ended).not.toHaveBeenCalled();
  expect(new Shares(tokens).revoke(share.id)).toBe(true);
  expect(ended).toHaveBeenCalledExactlyOnceWith(share.id);
  unwatch();
});

it('[AU21] a file damaged while the gateway runs ends no token', () => {
  const { token, identity } = tokens.create({ name: 'a', role: 'agent', ttlMs: null });
  writeFileSync(join(dir, 'tokens.json'), 'damaged');
  expect(tokens.verify('unknown')).toBeNull();
  expect(tokens.list()).toHaveLength(1);
  expect(tokens.verify(token)).toEqual(identity);
});
