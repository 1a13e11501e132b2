// The choice of a gateway and of the token that is sent to it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { announceLocalGateway } from '../policy/local-gateway.ts';
import { GATEWAY_FLAGS, parseWords } from './arguments.ts';
import { gatewayAddress } from './gateway-address.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateway-address-'));
const file = join(folder, 'token');

beforeAll(() => {
  writeFileSync(file, 'of-file\n');
  const here = { url: 'http://127.0.0.1:1', pid: process.pid, token: 'of-state', fingerprint: null };
  announceLocalGateway(folder, here);
});
afterAll(() => rmSync(folder, { recursive: true }));

const TOKEN = { EXEC_CONSOLE_TOKEN: 'of-variable' };
const ADDRESS = { EXEC_CONSOLE_URL: 'wss://there.test/?token=of-its-url' };

it.each([
  [
    'a file, whatever else there is',
    ['--url', 'ws://x/?token=of-url', '--token-file', file],
    TOKEN,
    'x of-file',
  ],
  ["the address's own", ['--url', 'ws://x/?token=of-url'], TOKEN, 'x of-url'],
  ['the variable, for an address that has none', ['--url', 'ws://x'], TOKEN, 'x of-variable'],
  ["the variable's address's own", [], { ...ADDRESS, ...TOKEN }, 'there.test of-its-url'],
  [
    'that of the gateway that was asked for',
    ['--state-dir', folder],
    { ...ADDRESS, ...TOKEN },
    '127.0.0.1:1 of-state',
  ],
  ['a file, for that', ['--state-dir', folder, '--token-file', file], TOKEN, '127.0.0.1:1 of-file'],
])('[CL3] the token is %s', (_, argv, env, expected) => {
  const { url, token } = gatewayAddress(parseWords(argv, GATEWAY_FLAGS), env);
  expect(`${url.host} ${token}`).toBe(expected);
});

it('[CL3] without any it says what is missing', () => {
  const args = parseWords(['--url', 'ws://x'], GATEWAY_FLAGS);
  expect(() => gatewayAddress(args, {})).toThrow('needs a token');
});
