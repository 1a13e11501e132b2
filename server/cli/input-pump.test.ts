// Tests of stdin that stays open while the process refuses what was sent.
import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import type { Connection, WriteOutcome } from '../../client/exec-client.ts';
import { pumpInput } from './input-pump.ts';

const connection = { state: { kind: 'online' }, onState: () => () => undefined } as unknown as Connection;

afterEach(() => {
  vi.restoreAllMocks();
});

function pumped(write: () => Promise<WriteOutcome>): Promise<void> {
  const stdin = new PassThrough();
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
  stdin.write('hello');
  return pumpInput({
    remote: { write, closeStdin: () => Promise.resolve('accepted') },
    connection,
    passesEnd: true,
  });
}

it('ends at once when a write is declined', async () => {
  await expect(pumped(() => Promise.reject(new Error('declined by ann')))).rejects.toThrow('declined by ann');
});

it('ends at once when the process accepts no more input', async () => {
  await pumped(() => Promise.resolve('stdinClosed'));
});
