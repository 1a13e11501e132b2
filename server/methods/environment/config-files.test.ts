// Configuration files read as another user, who has stopped the shell that reads them.
import { execFile, type ExecFileOptions } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { filesAs } from './config-files.ts';

type Done = (error: Error | null, stdout: string, stderr: string) => void;
vi.mock('node:child_process', async (original) => ({
  ...(await original<object>()),
  execFile: vi.fn((_file: string, _args: string[], _options: ExecFileOptions, done: Done) =>
    done(Object.assign(new Error('killed'), { killed: true, code: null, signal: 'SIGKILL' }), '', ''),
  ),
}));

it('[EN1] a read and a look fail when the shell of the other user does not answer, and the shell is killed', async () => {
  const user = { name: 'other', uid: 7, gid: 7, home: '/', shell: '/bin/sh' };
  const files = filesAs(user);
  await expect(files.read('/x')).rejects.toThrow('/x cannot be read: other did not answer within 10 s');
  await expect(files.isThere('/x')).rejects.toThrow('other did not answer');
  for (const [, , options] of vi.mocked(execFile).mock.calls)
    expect(options).toMatchObject({ timeout: 10_000, killSignal: 'SIGKILL' });
});
