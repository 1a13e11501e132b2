// Tests of large requests whose texts are retained in records, tables and the audit log: rule LI17. Nightly
// tests cover all methods.
import { afterEach, expect, it } from 'vitest';
import { endGateway, methodsThatKeep } from './testing/heap-after-requests.ts';

afterEach(endGateway);

it('[LI17] a gateway retains no more of large requests than it shows of them', async () => {
  const methods = [
    'process/start',
    'fs/open',
    'http/request',
    'console/createToken',
    'console/share',
  ] as const;
  expect(await methodsThatKeep(methods)).toEqual([]);
});
