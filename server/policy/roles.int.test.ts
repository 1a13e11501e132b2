// Tests every role with every method of a real gateway: rules AU4 and AU13.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLES } from '../../protocol/console-constants.ts';
import { METHOD_NAMES, samplesOf } from '../../protocol/records.ts';
import { TestServer } from '../testing/test-server.ts';
import { mayCall } from './roles.ts';

const FORBIDDEN = -32021;

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await TestServer.start();
  folder = mkdtempSync(join(tmpdir(), 'exec-console-roles-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const methods = METHOD_NAMES.filter((method) => method !== 'initialize');

it.each(ROLES)('[AU4][AU13] the role %s may call exactly its own methods', async (role) => {
  const client = await server.client(role);
  const samples = samplesOf({ key: 'unknown', processId: 'unknown', folder: pathToFileURL(folder).href });
  const asked = methods.flatMap((method) =>
    (['own', 'any'] as const).flatMap((reach) => {
      const params = samples[method][reach];
      return params ? [{ method, reach, params }] : [];
    }),
  );
  const refused = await Promise.all(
    asked.map(async ({ method, reach, params }) => {
      const code = await client.request(method, params).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
      return { method, reach, isRefused: code === FORBIDDEN, isTaken: code !== -32602 };
    }),
  );
  expect(refused).toEqual(
    asked.map(({ method, reach }) => ({
      method,
      reach,
      isRefused: !mayCall(role, method, reach === 'any'),
      // The token or share to revoke does not exist, which is reported as an invalid param.
      isTaken: !(/revoke/.test(method) && mayCall(role, method, false)),
    })),
  );
});
