// Upgrade of the keeper's program in place: reasons for a failure.
import { expect, it, vi } from 'vitest';
import { upgraded, type Upgrading } from './upgrade.ts';

vi.mock('./passed.ts', () => ({ encodePassed: () => Buffer.from('state'), sumIn: () => 'sum' }));

const upgrading = { setHandingOver: () => undefined, handOver: () => ({}) } as unknown as Upgrading;
const reason = (script: string): Promise<string> =>
  upgraded({ id: 'new', argv: ['/bin/sh', '-c', script] }, [], upgrading);

it.skipIf(process.platform !== 'linux').each([
  ['is killed by a signal', 'kill -KILL $$', 'it was killed by SIGKILL'],
  ['prints an error, and is killed', 'echo "out of memory" >&2; kill -TERM $$', 'out of memory'],
  ['exits', 'exit 3', 'it exited with code 3'],
])(
  '[KP22] A new program that %s during its rehearsal is reported with that reason',
  async (_, script, why) => {
    expect(await reason(script)).toBe(`the new program failed its rehearsal: ${why}`);
  },
);
