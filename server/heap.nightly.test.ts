// Tests of large requests of every method: rule LI17.
import { afterEach, expect, it } from 'vitest';
import { METHOD_NAMES } from '../protocol/records.ts';
import { endGateway, methodsThatKeep } from './testing/heap-after-requests.ts';

afterEach(endGateway);

it.each(METHOD_NAMES)(
  '[LI17] a gateway retains no more of large requests than it shows of them: %s',
  async (method) => {
    expect(await methodsThatKeep([method])).toEqual([]);
  },
);
