// Tests of a request to a client whose call is already over.
import { expect, it } from 'vitest';
import { Asks } from './asks.ts';
import type { Reply } from './reply.ts';

it('[MC12] Asks sends no request for a call that is already over', async () => {
  const sent: object[] = [];
  const reply = {
    isOpenForMore: true,
    gone: new AbortController().signal,
    send: (each: object) => sent.push(each),
  };
  const asked = new Asks().ask(reply as unknown as Reply, 'elicitation/create', {}, AbortSignal.abort());
  expect(await asked).toBeNull();
  expect(sent).toEqual([]);
});
