// Agent tokens: one for each name, private, and not replaced once revoked.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Tokens } from '../policy/tokens.ts';
import { agentToken, agentTokenPath } from './agent-token.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'agent-token-'));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

it('[AU28] agentToken creates one token of the role agent for each name, private and reused from then on', async () => {
  const [claude, again, gemini] = [
    await agentToken(stateDir, 'claude'),
    await agentToken(stateDir, 'claude'),
    await agentToken(stateDir, 'gemini'),
  ];
  expect(again).toBe(claude);
  expect(gemini).not.toBe(claude);
  const tokens = new Tokens(stateDir);
  expect(tokens.verify(claude)).toMatchObject({ name: 'claude', role: 'agent', expiresAtMs: null });
  expect(tokens.list()).toHaveLength(2);
  expect(statSync(agentTokenPath(stateDir, 'claude')).mode & 0o777).toBe(0o600);
  expect(statSync(join(stateDir, 'agents')).mode & 0o777).toBe(0o700);
});

it('agentToken creates one token for commands that start at the same time', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => agentToken(stateDir, 'claude')));
  expect(new Set(all).size).toBe(1);
  expect(new Tokens(stateDir).list()).toHaveLength(1);
});

it('[AU28] agentToken does not replace a revoked token', async () => {
  await agentToken(stateDir, 'claude');
  const tokens = new Tokens(stateDir);
  tokens.revoke(tokens.list()[0]?.id ?? '');
  await expect(agentToken(stateDir, 'claude')).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('the token of the agent claude was revoked') as string,
  });
  expect(new Tokens(stateDir).list()).toHaveLength(0);
});

it.each(['', '\u202ex', 'cli', 'x'.repeat(65)])('agentToken refuses the name %j', async (name) => {
  await expect(agentToken(stateDir, name)).rejects.toThrow(/a name must have 1 to|reserved/);
  expect(readdirSync(stateDir)).toEqual([]);
});

it.each(['..', '../../x', '.', 'a/b', 'über 1'])(
  'agentToken keeps the file of %j in its folder',
  async (name) => {
    await agentToken(stateDir, name);
    expect(readdirSync(stateDir).toSorted()).toEqual(['agents', 'tokens.json']);
    expect(readdirSync(join(stateDir, 'agents'))).toHaveLength(1);
  },
);

it('agentToken does not use a state folder that other users can read', async () => {
  chmodSync(stateDir, 0o755);
  await expect(agentToken(stateDir, 'claude')).rejects.toThrow('is accessible to other users');
});
