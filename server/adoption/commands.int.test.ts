// Tests of commands that continue at the next gateway, which has another port. Uses the built programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { sharedMain, untilPrinted } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';

it('[CL8] run continues at the next gateway on another port, and passes on every byte and the exit code', async () => {
  const gateway = await KeeperGateway.start([], sharedMain());
  onTestFinished(() => gateway.stop());
  const script = 'echo ready >&2; n=0; while read line; do n=$((n + 1)); echo "$n $line"; done; exit 7';
  const argv = [sharedMain(), 'run', '--state-dir', gateway.stateDir, '--', 'sh', '-c', script];
  const command = spawn(execPath, argv);
  onTestFinished(() => void command.kill());
  const exit = once(command, 'exit');
  const output = buffer(command.stdout);
  await untilPrinted(command.stderr, 'ready');
  command.stdin.write('one\n');
  const before = gateway.url;
  await gateway.end('SIGKILL');
  command.stdin.write('two\n');
  await gateway.startAgain();
  expect(gateway.url).not.toBe(before);
  command.stdin.end('three\n');
  expect(await exit).toEqual([7, null]);
  expect((await output).toString()).toBe('1 one\n2 two\n3 three\n');
});
