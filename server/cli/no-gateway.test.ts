// Commands without a gateway: the error, with the command that starts one, and the help.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { gatewayHelp, runCommand } from './commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'exec-console-none-'));
const env = { XDG_STATE_HOME: folder, HOME: folder };

afterEach(() => {
  vi.restoreAllMocks();
});

async function outcomeOf(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text: unknown, done: unknown) => {
      written[name] += String(text);
      (done as (() => void) | undefined)?.();
      return true;
    });
  const [name = '', ...rest] = argv;
  const code = await runCommand(name, rest, env);
  vi.restoreAllMocks();
  return { code, ...written };
}

it('[CL3] restart exits with 3 without a gateway, and suggests a start with the same state folder', async () => {
  const other = join(folder, 'my state');
  expect(await outcomeOf('restart', '--state-dir', other)).toEqual({
    code: 3,
    stdout: '',
    stderr: `exec-console: no gateway is running with the state folder ${other}, so nothing was restarted; start one with: exec-console --state-dir '${other}' --banner\n`,
  });
  expect((await outcomeOf('restart')).stderr).toContain('start one with: exec-console --banner\n');
});

it('[CL3] every command without a gateway suggests a start with the same state folder', async () => {
  const { code, stderr } = await outcomeOf('ps', '--state-dir', folder);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(
      `no gateway is running; start one with: exec-console --state-dir ${folder} --banner\n`,
    ),
  ]);
  rmSync(folder, { recursive: true });
});

it('help prints what --help prints', async () => {
  const { code, stdout } = await outcomeOf('stop', '--help');
  expect(await outcomeOf('help', 'stop')).toEqual({ code, stdout, stderr: '' });
  expect(await outcomeOf('help')).toEqual({ code: 0, stdout: gatewayHelp(), stderr: '' });
  expect(await outcomeOf('help', 'stpo')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown command "stpo"; did you mean stop?') as string,
  });
});
