// Tests of two gateways with one state folder, and of the files that they leave there.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  announceLocalGateway,
  findLocalGateway,
  leftLocalToken,
  newLocalToken,
  withdrawLocalGateway,
  type LocalGateway,
} from './local-gateway.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-state-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const gateway = (port: number): LocalGateway => ({
  url: `ws://127.0.0.1:${port}`,
  pid: process.pid,
  fingerprint: port === 1 ? null : 'AB:CD',
  announcedAtMs: port,
  token: newLocalToken(),
});

it('[CL1] findLocalGateway finds a gateway while it is announced, and only the folder’s owner can read the files', () => {
  const only = gateway(1);
  expect(findLocalGateway(dir)).toBeNull();
  announceLocalGateway(dir, only);
  expect(findLocalGateway(dir)).toEqual(only);
  for (const file of readdirSync(dir)) expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600);
  withdrawLocalGateway(dir, only);
  expect(readdirSync(dir)).toEqual([]);
});

it('[CL1] findLocalGateway finds the later of two gateways, and the earlier one does not remove its files', () => {
  const [earlier, later] = [gateway(1), gateway(2)];
  announceLocalGateway(dir, earlier);
  announceLocalGateway(dir, later);
  withdrawLocalGateway(dir, earlier);
  expect(findLocalGateway(dir)).toEqual(later);
  withdrawLocalGateway(dir, later);
  expect(readdirSync(dir)).toEqual([]);
});

it.each(['', '{}', '{"url":1,"pid":2}', '{"url":"ws://x","pid":-1}'])(
  'findLocalGateway ignores the contents %j',
  (text) => {
    announceLocalGateway(dir, gateway(1));
    writeFileSync(join(dir, 'gateway.json'), text);
    expect(findLocalGateway(dir)).toBeNull();
  },
);

it('[CL1] withdrawLocalGateway removes only the files of that gateway, also when some are missing', () => {
  const [one, other] = [gateway(1), gateway(1)];
  withdrawLocalGateway(dir, one);
  announceLocalGateway(dir, one);
  withdrawLocalGateway(dir, { ...other, url: one.url, pid: one.pid + 1 });
  withdrawLocalGateway(dir, { ...other, url: 'ws://x' });
  expect(findLocalGateway(dir)).toEqual(one);
  rmSync(join(dir, 'cli-token'));
  expect(findLocalGateway(dir)).toBeNull();
  withdrawLocalGateway(dir, one);
  expect(readdirSync(dir)).toEqual([]);
});

it('[CL8] a gateway that leaves its processes also leaves its token, and does not remove it once the next gateway uses it', () => {
  const [earlier, later] = [gateway(1), gateway(2)];
  announceLocalGateway(dir, earlier);
  withdrawLocalGateway(dir, earlier, true);
  expect(findLocalGateway(dir)).toBeNull();
  expect(leftLocalToken(dir)).toBe(earlier.token);
  const same = { ...later, token: earlier.token };
  announceLocalGateway(dir, same);
  withdrawLocalGateway(dir, earlier);
  expect(findLocalGateway(dir)).toEqual(same);
  withdrawLocalGateway(dir, same);
  expect(leftLocalToken(dir)).toBeNull();
  writeFileSync(join(dir, 'cli-token'), 'short\n');
  expect(leftLocalToken(dir)).toBeNull();
});

it('findLocalGateway ignores an empty token', () => {
  announceLocalGateway(dir, gateway(1));
  writeFileSync(join(dir, 'cli-token'), '\n');
  expect(findLocalGateway(dir)).toBeNull();
});

it.skipIf(process.platform !== 'linux')(
  '[CL1] findLocalGateway does not mistake a later process with the same PID for a killed gateway',
  () => {
    announceLocalGateway(dir, gateway(1));
    const path = join(dir, 'gateway.json');
    const there = JSON.parse(readFileSync(path, 'utf8')) as { readonly born: string };
    const left = (changes: object): void => writeFileSync(path, JSON.stringify({ ...there, ...changes }));
    left({ born: there.born.replace(/\d+$/, '1') });
    expect(findLocalGateway(dir)).toBeNull();
    // The start time matches, but the boot does not.
    left({ born: there.born.replace(/^\S+/, '00000000-0000-4000-8000-000000000000') });
    expect(findLocalGateway(dir)).toBeNull();
    // Gateways of earlier versions do not store `born`.
    left({ born: undefined });
    expect(findLocalGateway(dir)?.pid).toBe(process.pid);
  },
);
