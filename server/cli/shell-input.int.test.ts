// exec-console shell: whether input of an agent's script needs approval, and how its agent is notified.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

describe('input of a script', () => {
  const asking = (agent: string, script: string) => {
    const child = line.spawn(['shell', '--agent', agent, '-c', script]);
    child.stdin?.end('b\na\n');
    let notes = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      notes += chunk.toString();
    });
    return { child, stdout: text(child.stdout ?? process.stdin), notes: () => notes };
  };
  const waits = (agent: string) =>
    vi.waitFor(async () => {
      const found = (await line.approvals()).find(({ startedBy }) => startedBy === agent);
      if (!found) throw new Error('nothing waits');
      return found;
    }, 30_000);

  it.each(['on-request', 'on-failure', 'always'])(
    '[AP12] [AS7] needs no approval of its own when it is data for its programs, under %s',
    async (policy) => {
      const agent = `piped-${policy}`;
      await line.outcome(['policy', 'set', policy, '--agent', agent]);
      const { child, stdout } = asking(agent, 'sort');
      const exited = once(child, 'exit');
      if (policy === 'always') {
        const start = await waits(agent);
        expect(start.kind).toBe('start');
        await line.outcome(['approve', start.id]);
      }
      expect([await exited, await stdout]).toEqual([[0, null], 'a\nb\n']);
    },
  );

  it('[AS7] is reported as waiting when a shell would execute it, and as refused', async () => {
    await line.outcome(['policy', 'set', 'on-failure', '--agent', 'fed']);
    const { child, stdout, notes } = asking('fed', 'cat | sh; echo over');
    const { id, kind } = await waits('fed');
    expect(kind).toBe('input');
    await vi.waitFor(
      () => expect(notes()).toBe('exec-console: waiting for the input to be approved in the console\n'),
      30_000,
    );
    // The shell may exit before the decline command does.
    const exited = once(child, 'exit');
    await line.outcome(['decline', '--message', 'no', id]);
    expect(await exited).toEqual([0, null]);
    expect([await stdout, notes()]).toEqual([
      'over\n',
      expect.stringContaining('the input was not written: declined by cli: no\n'),
    ]);
  });

  it('[AS7] does not hold up a signal while it waits', async () => {
    await line.outcome(['policy', 'set', 'on-request', '--agent', 'signalled']);
    const { child, notes } = asking('signalled', 'cat | sh');
    await vi.waitFor(() => expect(notes()).toContain('waiting for the input to be approved'), 30_000);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
    await vi.waitFor(async () => expect(await line.approvals()).toEqual([]), 30_000);
  });
});
