// Tests of the limits on sessions of unified exec: rule UE6.
import { randomInt } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { Line } from './line.ts';
import { Sessions } from './sessions.ts';

vi.mock('node:crypto', { spy: true });

it.each([
  ['a thread', 64, (_at: number) => 'one'],
  ['a token', 256, (at: number) => `thread ${Math.floor(at / 50)}`],
])('[UE6] Sessions ends a live session of %s beyond %i, and returns that limit', (_of, most, threadOf) => {
  const line = { clientName: 'agent', follow: vi.fn(), request: () => Promise.resolve() } as unknown as Line;
  const sessions = new Sessions({ process: () => undefined, isPinned: () => false }, null);
  const add = (at: number) =>
    sessions.add({ line, tokenId: 'token', thread: threadOf(at), cmd: 'x', cwd: '/', tty: false });
  const added = Array.from({ length: most }, (_, at) => add(at));
  expect(added.flatMap(({ ended }) => ended)).toEqual([]);
  expect(add(most).ended).toEqual([{ held: added[0]?.held, most }]);
});

it('Sessions refuses a session when no ID is free, as after the end of the one that had the last', () => {
  vi.mocked(randomInt).mockReturnValue(1000 as never);
  const line = { clientName: 'agent', follow: vi.fn() } as unknown as Line;
  const sessions = new Sessions({ process: () => undefined, isPinned: () => false }, null);
  const add = () => sessions.add({ line, tokenId: 'token', thread: null, cmd: 'x', cwd: '/', tty: false });
  sessions.remove(add().held);
  expect(add).toThrow('exec_command failed: no session ID is free; try again later');
});
