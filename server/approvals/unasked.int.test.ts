// A gateway on stdio, with a state folder that requires approvals: rule AP21.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { whatAsks } from './unasked.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-unasked-'));
  mkdirSync(join(folder, 'rules'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const store = (more: object): void =>
  writeFileSync(
    join(folder, 'approvals.json'),
    JSON.stringify({ policy: null, agents: {}, pauses: [], rules: {}, ...more }),
  );
const FORBIDDEN_COMMAND = 'prefix_rule(pattern=["rm"], decision="forbidden")';
const FORBIDDEN_HOST = 'network_rule(host="a.example", protocol="https", decision="deny")';
const PAUSE = { id: 'h', agent: null, session: null, thread: null, why: 'paused', by: 'ann', atMs: 1 };

it.each([
  ['a policy for all', () => store({ policy: 'always' }), /the policy "always"/],
  ['a policy for one agent', () => store({ policy: 'never', agents: { bot: 'on-request' } }), /on-request/],
  ['a pause', () => store({ pauses: [PAUSE] }), /contains pauses of agents/],
  ['a rule that forbids', () => rule(FORBIDDEN_COMMAND), /rules in \S+ forbid commands$/],
  ['a rule about a host', () => rule(FORBIDDEN_HOST), /rules in \S+ forbid hosts$/],
  ['rules about both', () => rule(`${FORBIDDEN_COMMAND}\n${FORBIDDEN_HOST}`), /forbid commands and hosts$/],
  ['a broken rule', () => rule('x'), /cannot be used/],
])('[AP21] the gateway on stdio is refused because of %s', (_what, prepare, why) => {
  prepare();
  expect(whatAsks(folder)).toMatch(why);
});

const rule = (text: string): void => writeFileSync(join(folder, 'rules/a.rules'), text);

it('[AP21] the gateway on stdio runs where nothing requires approval', () => {
  expect(whatAsks(folder)).toBeNull();
  store({ policy: 'never', agents: { bot: 'never' } });
  rule('prefix_rule(pattern=["ls"])\nprefix_rule(pattern=["git"], decision="prompt")');
  expect(whatAsks(folder)).toBeNull();
});
