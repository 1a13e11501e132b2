// Finds the keeper of a state folder, or starts one in a separate OS session.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownArgv } from '../../host/built-file.ts';
import { APPEND, openRegular } from '../../host/regular-file.ts';
import { StateFolderRefused } from '../../host/state-folder-refused.ts';
import { isOfOwnUser } from '../wire/line.ts';
import type { KeeperProgram } from '../wire/messages.ts';
import { READY, REFUSED, TAKEN } from '../wire/start-answer.ts';
import { keeperLogPath, possibleSocket, socketPath } from '../wire/place.ts';
import { programId } from '../wire/program-id.ts';

/** Maximum time for a keeper to start. */
const START_MS = 20_000;
/** Polling interval while another gateway starts a keeper, or an earlier keeper ends. */
const LOOK_MS = 50;

/** Resolves with a connection to the running keeper, or null when there is none. Rejects when another user runs it. */
export async function findKeeper(stateDir: string): Promise<Socket | null> {
  const path = possibleSocket(stateDir);
  if (path === null) return null;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    // The socket is missing, or was left by a keeper that has ended.
    return null;
  }
  if (isOfOwnUser(socket)) return socket;
  socket.destroy();
  throw new StateFolderRefused(
    'the keeper of this state folder belongs to another user; choose another folder with --state-dir',
  );
}

/** Resolves with a connection to the keeper. Rejects with a reason for people when none can be started. */
export async function findOrStartKeeper(stateDir: string): Promise<Socket> {
  const givesUpAtMs = performance.now() + START_MS;
  for (;;) {
    const found = await findKeeper(stateDir);
    if (found) return found;
    if (performance.now() > givesUpAtMs)
      throw new Error(`the keeper did not start; see ${keeperLogPath(stateDir)}`);
    // The start fails while another keeper is starting, or has not ended yet.
    if (!(await started(stateDir))) await sleep(LOOK_MS);
  }
}

/** Starts a keeper. Resolves with false when another one has locked the folder; rejects when it cannot run. */
async function started(stateDir: string): Promise<boolean> {
  const log = openRegular(keeperLogPath(stateDir), APPEND);
  try {
    const [file = '', ...args] = keeperArgv();
    const child = spawn(file, [...args, stateDir, socketPath(stateDir)], {
      cwd: '/',
      // The keeper has its own session, so that no terminal ends it; its children get their environments with each
      // start.
      detached: true,
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', log],
    });
    const { stdout } = child;
    if (!stdout) throw new Error('invariant violation: no stdout');
    let printed = '';
    const ready = new Promise<true>((resolve) =>
      stdout.on('data', (bytes: Buffer) => {
        printed += bytes.toString();
        if (printed === READY) resolve(true);
      }),
    );
    const gone = once(child, 'close').then(([code, signal]) => {
      if (code === TAKEN) return false;
      const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
      throw new Error(code === REFUSED ? printed : `the keeper ${how}; see ${keeperLogPath(stateDir)}`);
    });
    const isReady = await Promise.race([ready, gone]);
    stdout.destroy();
    child.unref();
    gone.catch(() => false);
    return isReady;
  } finally {
    closeSync(log);
  }
}

/** Returns the program with which this gateway starts keepers. */
export function keeperProgram(): KeeperProgram {
  const argv = keeperArgv();
  return { id: programId(argv.at(-1) ?? ''), argv };
}

const keeperArgv = (): string[] =>
  ownArgv('keeper.js', new URL('../program/keeper-entry.ts', import.meta.url));
