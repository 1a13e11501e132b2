// The end of a stdin whose queue is in the keeper.
import { expect, it } from 'vitest';
import type { Line } from '../wire/line.ts';
import type { Held } from '../wire/messages.ts';
import { HeldInput } from './held-input.ts';

it('[KP4] The end of stdin is with the system when it has been asked for, since it is answered at once', () => {
  const calls: string[] = [];
  const line = { send: () => calls.push('send'), flush: () => calls.push('flush') };
  new HeldInput(line as unknown as Line, { process: 1, applied: 0 } as Held).end();
  expect(calls).toEqual(['send', 'flush']);
});
