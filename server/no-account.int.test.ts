// Tests of the built gateway as a user id without an account, as containers are often started.
import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findLocalGateway } from './policy/local-gateway.ts';
import { CommandLine } from './testing/command-line.ts';
import { TestClient } from './testing/test-client.ts';

const NO_ACCOUNT = 2_000_001;
const AS_NO_ACCOUNT = ['setpriv', '--reuid', String(NO_ACCOUNT), '--clear-groups', 'env', 'HOME=/', 'SHELL='];
const [SETPRIV = '', ...IDENTITY] = AS_NO_ACCOUNT;
const canBeNobody = spawnSync(SETPRIV, [...IDENTITY, 'ls', import.meta.dirname]).status === 0;

let line: CommandLine | undefined;
afterEach(() => line?.stop());

it.runIf(canBeNobody)('[RU8] a gateway without an account works like one with an account', async () => {
  line = await CommandLine.start({
    flags: ['--sandbox', 'none'],
    inside: (stateDir) => {
      chownSync(dirname(stateDir), NO_ACCOUNT, NO_ACCOUNT);
      chownSync(stateDir, NO_ACCOUNT, NO_ACCOUNT);
      return AS_NO_ACCOUNT;
    },
  });
  const token = findLocalGateway(line.stateDir)?.token ?? '';
  const client = await TestClient.open(line.url, { token });
  await client.initialize();
  expect(await client.request('environment/info')).toMatchObject({ shell: { path: '/bin/sh' } });
  const { processId } = await client.start(['id', '-u']);
  await client.waitOutput(processId, String(NO_ACCOUNT));
  await client.cut();
});
