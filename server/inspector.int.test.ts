// Tests that SIGUSR1 does not open the Node inspector in any program of exec-console.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from './testing/command-line.ts';

let line: CommandLine;
let dir: string;
beforeAll(async () => {
  line = await CommandLine.start();
  dir = mkdtempSync(join(tmpdir(), 'exec-console-inspector-'));
});
afterAll(async () => {
  await line.stop();
  rmSync(dir, { recursive: true });
});

const node = (...args: string[]): ChildProcess => spawn(process.execPath, args, { stdio: 'pipe', cwd: dir });

/**
 * Resolves with the stderr of a program that receives SIGUSR1 and then the end of its input, once `ready` has
 * resolved.
 */
async function stderrOf(child: ChildProcess, ready: Promise<unknown>): Promise<string> {
  if (!child.stderr) throw new Error('invariant violation: no stderr');
  const printed = text(child.stderr);
  await ready;
  child.kill('SIGUSR1');
  child.stdin?.end('go on\n');
  await once(child, 'exit');
  return printed;
}

const firstLine = ({ stdout }: ChildProcess): Promise<unknown> => {
  if (!stdout) throw new Error('invariant violation: no stdout');
  return once(createInterface(stdout), 'line');
};

it('SIGUSR1 opens the inspector of a Node program that does not prevent it', async () => {
  // The program ends a moment after its input, because the inspector is opened by a separate thread.
  const wait = 'process.stdin.resume().on("end", () => setTimeout(() => {}, 1000)); console.log("up")';
  const child = node('--inspect-port=0', '-e', wait);
  expect(await stderrOf(child, firstLine(child))).toContain('Debugger listening');
});

it.each([
  ['the file helper', () => node(join(line.builtFolder, 'file-helper.js'))],
  ['the helper that reads files as another user', () => node(join(line.builtFolder, 'sandbox-as-user.js'))],
  [
    'an exec-server on stdin',
    () => node(join(line.builtFolder, 'main.js'), '--listen', 'stdio://', '--state-dir', dir),
  ],
])('[AU26] SIGUSR1 does not open the inspector of %s', async (_name, start) => {
  const child = start();
  // Any answer shows that the program's signal handler is installed.
  child.stdin?.write('{"id":1,"method":"initialize","params":{"clientName":"x"}}\n');
  const answered = firstLine(child);
  // The file helper answers this line with an error about an unknown request.
  expect(await stderrOf(child, answered)).not.toContain('Debugger');
});

it.each(['gateway', 'command'] as const)(
  '[AU26] SIGUSR1 does not open the inspector of a %s',
  async (which) => {
    const child = which === 'gateway' ? line.gateway : line.spawn(['run', '--', 'cat']);
    if (which === 'command') {
      child.stdin?.write('up\n');
      await firstLine(child);
    }
    const printed: Buffer[] = [];
    child.stderr?.on('data', (bytes: Buffer) => printed.push(bytes));
    child.kill('SIGUSR1');
    // The gateway still works, and has had time to print a message about an inspector.
    expect((await line.outcome(['run', '--', 'echo', 'on'])).stdout.toString()).toBe('on\n');
    if (which === 'command') child.stdin?.end();
    if (which === 'command') await once(child, 'exit');
    expect(Buffer.concat(printed).toString()).not.toContain('Debugger');
    if (which === 'gateway') expect(child.exitCode).toBeNull();
  },
);
