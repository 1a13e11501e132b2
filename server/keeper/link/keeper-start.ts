// Finds the keeper of a state folder, or starts one in an OS session of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { KeeperProgram } from '../wire/messages.ts';
import { keeperLogPath, socketPath } from '../wire/place.ts';
import { programId } from '../wire/program-id.ts';

/** Time for a keeper to be there. */
const START_MS = 20_000;
/** Interval of looks for a keeper that another gateway is starting, or that is about to end. */
const LOOK_MS = 50;

/** Resolves with a connection to the keeper that is there; null without one. */
export async function findKeeper(stateDir: string): Promise<Socket | null> {
  const socket = connect(socketPath(stateDir));
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    // There is no socket, or one that is left from a keeper that is gone.
    return null;
  }
}

/** Rejects with a reason for people when no keeper can be had. */
export async function findOrStartKeeper(stateDir: string): Promise<Socket> {
  const givesUpAtMs = performance.now() + START_MS;
  for (;;) {
    const found = await findKeeper(stateDir);
    if (found) return found;
    if (performance.now() > givesUpAtMs)
      throw new Error(`the keeper has not started; see ${keeperLogPath(stateDir)}`);
    // It fails where another one has begun to start, or has not quite ended.
    if (!(await started(stateDir))) await sleep(LOOK_MS);
  }
}

/** Resolves with false when the keeper that was started has ended instead of being ready. */
async function started(stateDir: string): Promise<boolean> {
  const log = openSync(keeperLogPath(stateDir), 'a', 0o600);
  try {
    const [file = '', ...args] = keeperArgv();
    const child = spawn(file, [...args, stateDir, socketPath(stateDir)], {
      cwd: '/',
      // A session of its own: no terminal of the gateway's ends it. Its children get environments of their own.
      detached: true,
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', log],
    });
    const { stdout } = child;
    if (!stdout) throw new Error('invariant violation: no stdout');
    const ready = once(stdout, 'data').then(() => true);
    const gone = once(child, 'exit').then(() => false);
    const isReady = await Promise.race([ready, gone]);
    stdout.destroy();
    child.unref();
    ready.catch(() => false);
    gone.catch(() => false);
    return isReady;
  } finally {
    closeSync(log);
  }
}

/** The program of the keepers that are started here. */
export function keeperProgram(): KeeperProgram {
  const argv = keeperArgv();
  return { id: programId(argv.at(-1) ?? ''), argv };
}

function keeperArgv(): string[] {
  const built = fileURLToPath(new URL('keeper.js', import.meta.url));
  if (existsSync(built)) return [process.execPath, built];
  const source = fileURLToPath(new URL('../program/keeper-entry.ts', import.meta.url));
  const loader = createRequire(import.meta.url).resolve('tsx');
  return [process.execPath, '--import', loader, source];
}
