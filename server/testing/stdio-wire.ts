// A gateway spawned by the test, whose connection is lines on stdin and stdout.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedProduct } from './command-line.ts';
import type { Wire } from './wire-client.ts';

/** State folder of all tests: gateways may share one. */
const STATE_DIR = join(tmpdir(), 'exec-console-test-stdio');

/** Returns the command line of the built gateway on stdio, which starts much faster than the source. */
export async function stdioGateway(): Promise<[command: string, ...args: string[]]> {
  const main = join(sharedProduct(), 'dist/server/main.js');
  return [process.execPath, main, '--listen', 'stdio://', '--state-dir', STATE_DIR];
}

export async function spawnStdioGateway(): Promise<ChildProcessWithoutNullStreams> {
  const [command, ...args] = await stdioGateway();
  const child = spawn(command, args);
  // The gateway may have ended when a test still sends a request.
  child.stdin.on('error', () => {});
  return child;
}

/** Returns the wire of a gateway; its `onClose` receives the exit code and, as the reason, the log. */
export function stdioWire(child: ChildProcessWithoutNullStreams): Wire {
  let logged = '';
  child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  return {
    send: (message) => {
      child.stdin.write(message);
      child.stdin.write('\n');
    },
    pause: () => child.stdout.pause(),
    resume: () => child.stdout.resume(),
    cut: () => child.stdin.end(),
    listen: ({ onMessage, onClose }) => {
      // Lines are not read with readline, which would treat an unfinished last line as a whole one.
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onMessage(line);
      });
      child.on('close', (code) => onClose(code ?? -1, logged));
    },
  };
}
