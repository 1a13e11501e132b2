// Writes the output of background jobs after their shell's exit, in a separate program that outlives the command.
import { spawn } from 'node:child_process';
import { finished } from 'node:stream/promises';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { SessionClient, type HandedOver } from '../../client/session-client.ts';
import { socketTo } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import type { GatewayAddress } from './gateway-address.ts';
import { GivenOutput } from './given-output.ts';
import { ownProgram } from './own-program.ts';

const restInput = z.object({
  url: z.string(),
  token: z.string(),
  fingerprint: z.string().nullable(),
  pid: z.number().nullable(),
  clientName: z.string(),
  sessionId: z.string(),
  processId: z.string(),
  tty: z.boolean(),
  seq: z.number(),
  lastWriteId: z.number(),
});

/** Starts the program that writes the remaining output; resolves when its input has been sent. */
export async function startPrinter(
  handedOver: HandedOver,
  address: GatewayAddress,
  clientName: string,
): Promise<void> {
  const { url, token, pid, fingerprint } = address;
  const [program, ...args] = [...ownProgram(), 'shell', '--rest'];
  // The child stays in this process group, so that signals to the group reach it; secrets are passed on stdin.
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], env: {} });
  child.unref();
  const input: z.infer<typeof restInput> = {
    url: url.href,
    token,
    pid,
    fingerprint: fingerprint(),
    clientName,
    ...handedOver,
  };
  child.stdin.end(JSON.stringify(input));
  await finished(child.stdin);
}

/**
 * Writes the remaining output of the process described on stdin until no job holds the output open, stdout is closed
 * or the connection is lost; resolves with exit code 0 in each case.
 */
export async function printRest(): Promise<number> {
  const { url, token, pid, fingerprint, clientName, ...handedOver } = restInput.parse(
    await json(process.stdin),
  );
  const address = { url: new URL(url), token, pid, fingerprint: () => fingerprint };
  const client = new SessionClient({
    socket: () => socketTo(address),
    clientName,
    resume: handedOver.sessionId,
  });
  const remote = client.takeOver(handedOver);
  const end = (): void => {
    remote.terminate().catch(() => undefined);
  };
  // Background jobs of a non-interactive shell ignore SIGINT and SIGQUIT, and may ignore SIGHUP, so this program
  // ignores all three.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', end);
  try {
    await client.open();
    const over = await new GivenOutput(remote.events(), handedOver.seq).written(() => undefined);
    if (over === 'broken') await remote.terminate({ unlessPinned: true });
  } catch {
    // The connection cannot be restored, so no more output can be read.
  } finally {
    client.close();
  }
  return ExitCode.ok;
}
