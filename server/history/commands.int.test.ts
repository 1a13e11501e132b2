// Tests of the commands history, search, logs and replay for people and scripts, including after the gateway was
// killed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../protocol/history.ts';
import { CommandLine, lines } from '../testing/command-line.ts';

let command: CommandLine;
beforeEach(async () => {
  // The keeper is off, since a gateway with a keeper loses nothing when it is killed.
  command = await CommandLine.start({ flags: ['--keeper', 'off'] });
});
afterEach(() => command.stop());

const history = async (...flags: string[]): Promise<HistoryEntry[]> => {
  const { stdout } = await command.outcome(['history', '--json', ...flags]);
  return JSON.parse(stdout.toString()) as HistoryEntry[];
};

/** Resolves when this many processes and their ends are on disk; a gateway that is killed earlier loses them. */
async function recorded(count: number): Promise<void> {
  await expect
    .poll(async () => (await history()).filter(({ recordedBytes }) => recordedBytes > 0))
    .toHaveLength(count);
  await expect.poll(() => readdirSync(join(command.stateDir, 'rec', 'open'))).toEqual([]);
}

describe('The history commands', () => {
  it('[HS14] show what a killed gateway had recorded until then, as lost', async () => {
    const key = await command.started('ticks', 'for i in {1..100000}; do echo "tick $i"; sleep 0.02; done');
    const seen = async () => (await command.outcome(['logs', key])).stdout.toString();
    // Search only finds output that is on disk, whereas a log may show output that is not written yet.
    await expect
      .poll(async () => (await command.outcome(['search', 'tick 20'])).stdout.toString())
      .toContain('tick 20\n');
    await command.killAndStart();
    expect(await history('--failed')).toMatchObject([
      { key, state: 'lost', exitCode: null, exitedAtMs: null },
    ]);
    const after = await seen();
    expect(after).toMatch(/^tick 1\ntick 2\n/);
    expect(after).toContain('tick 20\n');
    const searched = async (...flags: string[]) =>
      lines((await command.outcome(['search', '--json', '--regex', ...flags])).stdout);
    const found = await searched('^tick 17$');
    expect(found[0]).toEqual({ key, line: 17, text: 'tick 17', atMs: expect.any(Number) });
    const end = { searchedBytes: expect.any(Number), unreadableBytes: 0, totalBytes: expect.any(Number) };
    expect(found.at(-1)).toEqual({ done: true, ...end });
    expect(await searched('--limit', '2', '^tick (16|17)$')).toMatchObject([{}, {}, { done: true }]);
    expect(await searched('--limit', '1', '^tick (16|17)$')).toEqual([found[0], { done: false, ...end }]);
  });

  it('[CL13] explain what is wrong with a search', async () => {
    const wrong = async (...args: string[]): Promise<string> =>
      (await command.outcome(['search', ...args])).stderr.split('\n')[0] ?? '';
    expect(await wrong('--regex', '(')).toBe(
      'exec-console: "(" is not a valid regular expression: unterminated group; correct it, or omit --regex to search for the text itself',
    );
    expect(await wrong('')).toBe(
      'exec-console: argument 1 is empty; usage: exec-console search [flags] TEXT',
    );
    expect(await wrong('--limit', 'x', 'y')).toBe('exec-console: --limit x: expected a whole number above 0');
  });

  it('[HS8] list, select, print, replay and remove', async () => {
    await command.outcome(['run', '--label', 'fine', '--', 'echo', 'hello']);
    await command.outcome(['run', '--label', 'bad', '--', 'bash', '-c', 'printf "a\\rb\\n"; exit 4']);
    await recorded(2);
    await command.killAndStart();
    const [bad, fine] = await history('--since', '1h');
    expect(Object.keys(bad ?? {})).toEqual([
      'key',
      'argv',
      'startedBy',
      'metadata',
      'startedAtMs',
      'exitedAtMs',
      'exitCode',
      'signal',
      'state',
      'outputBytes',
      'recordedBytes',
    ]);
    expect(bad).toMatchObject({ exitCode: 4, state: 'closed' });
    expect(fine).toMatchObject({ argv: ['echo', 'hello'], exitCode: 0, signal: null });
    expect(await history('--failed')).toEqual([bad]);
    expect(await history('--agent', 'nobody')).toEqual([]);
    expect(await history('--folder', '/', '--failed')).toEqual([bad]);
    expect(await history('--folder', '/nowhere')).toEqual([]);
    expect((await command.outcome(['logs', 'bad'])).stdout.toString()).toBe('a\rb\n');
    expect((await command.outcome(['replay', '--speed', '100', fine?.key ?? ''])).stdout.toString()).toBe(
      'hello\n',
    );
    expect((await command.outcome(['history'])).stdout.toString()).toContain('[fine] echo hello');
    const removed = await command.outcome(['history', 'rm', '--json', 'bad']);
    expect(lines(removed.stdout)).toEqual([{ removed: 1, removedBytes: bad?.recordedBytes }]);
    expect(await history()).toEqual([fine]);
    const gone = await command.outcome(['logs', 'bad']);
    expect(gone).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('no process has the label "bad"'),
    });
    expect((await command.outcome(['history', 'rm'])).code).toBe(2);
    expect((await command.outcome(['history', '--since', 'soon'])).stderr).toContain('expected how long ago');
  });
});
