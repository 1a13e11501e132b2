// Closing stdin, and writes to it, when its queue is in the keeper.
import { expect, it, vi } from 'vitest';
import { StdinFull } from '../process-view.ts';
import type { Line } from '../wire/line.ts';
import { Written, type Held } from '../wire/messages.ts';
import { HeldInput } from './held-input.ts';

it('[KP4] HeldInput flushes the end of stdin immediately, since the request is answered next', () => {
  const calls: string[] = [];
  const line = { send: () => calls.push('send'), flush: () => calls.push('flush') };
  new HeldInput(line as unknown as Line, { process: 1, applied: 0, child: { tty: false } } as Held).end();
  expect(calls).toEqual(['send', 'flush']);
});

it('[KP4] HeldInput notes each write before it is sent, and its refusal before its answer', async () => {
  const send = vi.fn();
  const line = { isOpen: true, send };
  const input = new HeldInput(
    line as unknown as Line,
    { process: 1, applied: 6, child: { tty: false } } as Held,
  );
  const notes = { noteWrite: vi.fn(() => expect(send).not.toHaveBeenCalled()), noteRefused: vi.fn() };
  input.notes = notes;
  const origin = { session: 's', writeId: 'w' };
  const written = input.write(Buffer.from('x'), origin);
  expect(notes.noteWrite).toHaveBeenCalledExactlyOnceWith(origin, 7);
  const answer = Buffer.alloc(9);
  answer.writeBigUInt64LE(7n, 0);
  answer.writeUInt8(Written.full, 8);
  input.answered(answer);
  expect(notes.noteRefused).toHaveBeenCalledExactlyOnceWith(7);
  await expect(written).rejects.toThrow(StdinFull);
});
