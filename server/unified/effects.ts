// Starts a session and writes to it; the result may arrive long after the call.
import { randomUUID } from 'node:crypto';
import type { Requests } from '../../protocol/methods.ts';
import { isByPerson, isByRule } from '../../text/refusals.ts';
import { visible } from '../../text/visible.ts';
import { NOT_WRITTEN, notCreated } from './failed.ts';
import type { RoomOptions } from './client.ts';
import type { Held } from './held.ts';
import type { PastHeld } from './notes.ts';

/** Time to wait for the exit event after a write that failed because the process is gone. */
const EXIT_MS = 100;
/** Interval between checks of whether a start is waiting for approval. */
const LOOK_MS = 100;
const NEVER = new AbortController().signal;

/**
 * Starts the process; resolves when it has started or failed to start. The session is noted first, so that a later
 * gateway can restore it.
 */
export async function start(
  held: Held,
  params: Requests['process/start']['params'],
  room: Pick<RoomOptions, 'notes' | 'approval'>,
): Promise<void> {
  let looks: NodeJS.Timeout | undefined;
  const name = String(held.facts.id);
  try {
    if (room.notes) {
      await held.facts.line.attach();
      const { line, id: _, ...facts } = held.facts;
      const past: PastHeld = { ...facts, label: line.label, sinceMs: held.sinceMs };
      room.notes.set('held', name, past);
      looks = setInterval(() => {
        if (!room.approval(line.label, held.processId)) return;
        clearInterval(looks);
        const { env: _env, envPolicy: _policy, ...start } = params;
        room.notes?.set('start', name, start);
      }, LOOK_MS);
    }
    const { key } = (await held.facts.line.request('process/start', params)) as { key: string };
    held.started(key);
  } catch (error) {
    held.failures.push(notCreated(reasonOf((error as Error).message, held.facts.cmd)));
    held.notStarted();
  } finally {
    clearInterval(looks);
    room.notes?.remove('start', name);
  }
}

/** Calls `act` when the undecided start waits for approval; never if it is decided without an approval. */
export function onceWaiting(held: Held, { approval }: Pick<RoomOptions, 'approval'>, act: () => void): void {
  const { facts, processId } = held;
  const look = (): void => {
    const isWaiting = !held.isDecided && approval(facts.line.label, processId) !== undefined;
    if (!isWaiting && !held.isDecided) return;
    clearInterval(looks);
    if (isWaiting) act();
  };
  // The start always ends, at the latest with its line, and these checks end with it.
  const looks = setInterval(look, LOOK_MS);
  look();
}

/** Starts a second run without the sandbox of the first one; resolves when it has started or failed to start. */
export async function startAgain(held: Held, params: Requests['process/start']['params']): Promise<void> {
  const { key: retryOf, exitCode } = held;
  held.runAgain();
  try {
    const { processId } = held;
    const again = { ...params, processId, sandbox: null, retryOf };
    const { key } = (await held.facts.line.request('process/start', again)) as { key: string };
    held.notes.push(
      `The command was run again without its sandbox; in the sandbox, its exit code was ${exitCode}`,
    );
    held.started(key);
  } catch (error) {
    held.notes.push(
      `The command was not run again without its sandbox: ${visible((error as Error).message)}`,
    );
    held.keepFirst();
  }
}

function reasonOf(message: string, cmd: string): string {
  if (isByPerson(message)) return `rejected by user: ${message}`;
  if (isByRule(message)) return `\`${cmd}\` rejected: ${message}`;
  return `Failed to create unified exec process: ${message}`;
}

/** Writes the characters; resolves when they were accepted or the write has failed. */
export async function written(held: Held, chars: string): Promise<void> {
  const { line } = held.facts;
  const { processId } = held;
  const chunk = Buffer.from(chars).toString('base64');
  try {
    const write = { processId, chunk, writeId: randomUUID() };
    const { status } = (await line.request('process/write', write)) as Requests['process/write']['result'];
    if (status === 'accepted' || status === 'starting') return;
  } catch (error) {
    const { message } = error as Error;
    held.failures.push(isByPerson(message) ? `rejected by user: ${message}` : `${NOT_WRITTEN}: ${message}`);
    return;
  }
  // The process may just have exited; the answer then reports its exit instead of a failed write.
  await held.until(() => held.hasExited, EXIT_MS, NEVER);
  if (!held.hasExited) held.failures.push(NOT_WRITTEN);
}
