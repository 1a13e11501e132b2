// Closing stdin when its queue is in the keeper.
import { expect, it } from 'vitest';
import type { Line } from '../wire/line.ts';
import type { Held } from '../wire/messages.ts';
import { HeldInput } from './held-input.ts';

it('[KP4] HeldInput flushes the end of stdin immediately, since the request is answered next', () => {
  const calls: string[] = [];
  const line = { send: () => calls.push('send'), flush: () => calls.push('flush') };
  new HeldInput(line as unknown as Line, { process: 1, applied: 0, child: { tty: false } } as Held).end();
  expect(calls).toEqual(['send', 'flush']);
});
