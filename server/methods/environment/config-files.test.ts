// Configuration files read as another user: a shell that this user has stopped, and the number of reads at once.
import { execFile, type ExecFileOptions } from 'node:child_process';
import { beforeEach, expect, it, vi } from 'vitest';
import { filesAs } from './config-files.ts';

type Done = (error: Error | null, stdout: string, stderr: string) => void;
vi.mock('node:child_process', async (original) => ({
  ...(await original<object>()),
  execFile: vi.fn((_file: string, _args: string[], _options: ExecFileOptions, done: Done) =>
    done(Object.assign(new Error('killed'), { killed: true, code: null, signal: 'SIGKILL' }), '', ''),
  ),
}));

beforeEach(() => void vi.mocked(execFile).mockClear());

const user = { name: 'other', uid: 7, gid: 7, home: '/', shell: '/bin/sh' };
const clientOf = (tokenId: string, connection = { isEnding: false }) => ({
  identity: { tokenId, role: 'agent' as const },
  connection,
});

it('[EN1] a read and a look fail when the shell of the other user does not answer, and the shell is killed', async () => {
  const files = filesAs(user, clientOf('a'));
  await expect(files.read('/x')).rejects.toThrow('/x cannot be read: other did not answer within 10 s');
  await expect(files.isThere('/x')).rejects.toThrow('other did not answer');
  for (const [, , options] of vi.mocked(execFile).mock.calls)
    expect(options).toMatchObject({ timeout: 10_000, killSignal: 'SIGKILL' });
});

it('[EN1] one token reads four files at once, others do not wait for it, and a closed connection reads nothing', async () => {
  const running: Done[] = [];
  const hold = ((_file: string, _args: string[], _options: ExecFileOptions, done: Done) =>
    void running.push(done)) as unknown as typeof execFile;
  vi.mocked(execFile).mockImplementation(hold);
  const connection = { isEnding: false };
  const files = filesAs(user, clientOf('a', connection));
  const reads = [1, 2, 3, 4, 5, 6].map((n) => files.read(`/${n}`));
  const other = filesAs(user, clientOf('b')).read('/other');
  await vi.waitFor(() => expect(running).toHaveLength(5));
  running[0]?.(null, 'one', '');
  expect(await reads[0]).toBe('one');
  await vi.waitFor(() => expect(running).toHaveLength(6));
  connection.isEnding = true;
  for (const done of running) done(null, 'x', '');
  expect(await Promise.all([...reads.slice(1, 5), other])).toEqual(['x', 'x', 'x', 'x', 'x']);
  await expect(reads[5]).rejects.toThrow('the connection was closed');
  expect(running).toHaveLength(6);
});
