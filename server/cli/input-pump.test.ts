// Tests of stdin that stays open while the process refuses what was sent, and of its end when a connection is lost.
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
    tty: false,
  });
}

it('ends at once when a write is declined', async () => {
  await expect(pumped(() => Promise.reject(new Error('declined by ann')))).rejects.toThrow('declined by ann');
});

it('ends at once when the process accepts no more input', async () => {
  await pumped(() => Promise.resolve('stdinClosed'));
});

it.each([
  ['again', false, 2],
  ['only once to a terminal, where it is a typed Ctrl-D', true, 1],
])('sends an end that may not have arrived %s', async (_, tty, times) => {
  const stdin = new PassThrough();
  stdin.end();
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
  const note = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const closeStdin = vi.fn<() => Promise<WriteOutcome>>().mockResolvedValue('accepted');
  closeStdin.mockResolvedValueOnce('inDoubt');
  const write = (): Promise<WriteOutcome> => Promise.resolve('accepted');
  await pumpInput({ remote: { write, closeStdin }, connection, passesEnd: true, tty });
  expect(closeStdin).toHaveBeenCalledTimes(times);
  expect(note).toHaveBeenCalledTimes(tty ? 1 : 0);
});
