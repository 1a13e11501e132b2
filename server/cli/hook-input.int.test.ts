// Events that are too long for a hook, or never end: rule HK7.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { sharedMain } from '../testing/command-line.ts';
import { readHookInput } from './hook-input.ts';

it('[HK7] an event that never ends is refused after the time limit', async () => {
  const input = new PassThrough();
  input.write('{');
  await expect(readHookInput(input, 50)).rejects.toThrow('the event did not end within 0.05 s');
  expect(input.destroyed).toBe(true);
});

it('[HK7] an event in pieces is read as one', async () => {
  const pieces = ['{"a":"', 'é', '"}'].map((piece) => Buffer.from(piece));
  const bytes = Buffer.concat(pieces);
  // The split is within a character.
  const input = Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]);
  expect(await readHookInput(input)).toEqual({ a: 'é' });
});

it('[HK7] an endless event is refused before the hook is out of memory', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'exec-console-hook-'));
  const hook = ['hook', '--when-away', 'refuse', '--state-dir', stateDir];
  const child = spawn(process.execPath, ['--max-old-space-size=150', sharedMain(), ...hook]);
  try {
    const part = Buffer.alloc(1024 * 1024, 'a');
    const go = (): void => {
      while (child.stdin.writable && child.stdin.write(part));
    };
    child.stdin.on('drain', go).on('error', () => undefined);
    child.stdin.write('{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"');
    go();
    const [reported, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(reported).toBe(
      'exec-console: cannot request approval for this tool call: the event is larger than 67.1 MB\n',
    );
    expect(code).toBe(2);
  } finally {
    child.kill('SIGKILL');
    rmSync(stateDir, { recursive: true });
  }
});
