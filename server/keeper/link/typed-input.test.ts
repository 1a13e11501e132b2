// The first input to a terminal makes V8 compile early.
import { setFlagsFromString } from 'node:v8';
import { expect, it, vi } from 'vitest';
import type { Line } from '../wire/line.ts';
import type { Held } from '../wire/messages.ts';
import { HeldInput } from './held-input.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

const inputOf = (tty: boolean): HeldInput =>
  new HeldInput(
    { isOpen: true, send: () => {} } as unknown as Line,
    {
      process: 1,
      applied: 0,
      child: { tty },
    } as Held,
  );

it('V8 compiles early from the first input to a terminal on, and not for input to a pipe', () => {
  const write = (input: HeldInput) => void input.write(Buffer.from('a'), { session: 's', writeId: '1' });
  write(inputOf(false));
  expect(setFlagsFromString).not.toHaveBeenCalled();
  write(inputOf(true));
  write(inputOf(true));
  expect(setFlagsFromString).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^--interrupt-budget=\d+$/),
  );
});
