// The choice of a gateway, and of the token that is sent to it.
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
  const here = { url: 'http://127.0.0.1:1', pid: process.pid, fingerprint: null, announcedAtMs: 1 };
  announceLocalGateway(folder, { ...here, token: 'of-state' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const TOKEN = { EXEC_CONSOLE_TOKEN: 'of-variable' };
const ADDRESS = { EXEC_CONSOLE_URL: 'wss://there.test/?token=of-its-url' };

it.each([
  [
    'from the file, whatever else is given',
    ['--url', 'ws://x/?token=of-url', '--token-file', file],
    TOKEN,
    'x of-file',
  ],
  ['from the address', ['--url', 'ws://x/?token=of-url'], TOKEN, 'x of-url'],
  ['from the variable for an address without one', ['--url', 'ws://x'], TOKEN, 'x of-variable'],
  ['from the address in the variable', [], { ...ADDRESS, ...TOKEN }, 'there.test of-its-url'],
  [
    'from the state of the gateway that was chosen',
    ['--state-dir', folder],
    { ...ADDRESS, ...TOKEN },
    '127.0.0.1:1 of-state',
  ],
  [
    'from the file for the gateway that was chosen',
    ['--state-dir', folder, '--token-file', file],
    TOKEN,
    '127.0.0.1:1 of-file',
  ],
])('[CL3] the token is taken %s', (_, argv, env, expected) => {
  const { url, token } = gatewayAddress(parseWords(argv, GATEWAY_FLAGS), env);
  expect(`${url.host} ${token}`).toBe(expected);
});

it('[CL3] an address without a token is an error', () => {
  const args = parseWords(['--url', 'ws://x'], GATEWAY_FLAGS);
  expect(() => gatewayAddress(args, {})).toThrow('needs a token');
});
