// Tests of the reply to one POST: it writes nothing after the answer.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Reply } from './reply.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a reply sends messages and comments until its answer, even if the client takes the answer late', () => {
  // A response without a connection is never finished or closed, like one to a client that does not read.
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const write = vi.spyOn(response, 'write');
  const reply = new Reply(response, { json: true, stream: true });
  reply.send({ method: 'first' });
  vi.advanceTimersByTime(15_000);
  expect(reply.isOpenForMore).toBe(true);
  expect(write).toHaveBeenCalledTimes(2);
  reply.end({ result: {} });
  expect(reply.isOpenForMore).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(write).toHaveBeenCalledTimes(2);
  response.destroy();
});
