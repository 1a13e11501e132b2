// The measured servers, each started fresh: the built exec-console, and Codex's exec-server if it is installed.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { within } from './rig/client.ts';
import type { Subject } from './rig/measure.ts';
import { childrenOf, isKeeper } from './rig/readings.ts';

const MAIN = join(import.meta.dirname, '../dist/server/main.js');

export interface Server {
  readonly subject: Subject;
  stop(): Promise<void>;
}

export interface ServerKind {
  readonly name: string;
  readonly isConsole: boolean;
  /** True for a server that is measured only when `--servers` names it. */
  readonly isOptional?: true;
  start(): Promise<Server>;
}

const gateway = (name: string, ...flags: string[]): ServerKind => ({
  name,
  isConsole: true,
  start: () =>
    run(name, (dir) => ({
      command: [
        process.execPath,
        MAIN,
        '--port=0',
        `--state-dir=${stateIn(dir)}`,
        `--ws-token-file=${join(dir, 'token')}`,
        ...flags,
      ],
      printedLines: 2,
      token: () => readFileSync(join(dir, 'token'), 'utf8').trim(),
      stateDir: stateIn(dir),
    })),
});

const ours = gateway('ours');
/** The server without recordings, to measure the cost of recording. */
const unrecorded: ServerKind = { ...gateway('unrecorded', '--record=off'), isOptional: true };

const stateIn = (dir: string): string => join(dir, 'state');

/**
 * Codex's server leaves Nagle's algorithm on, so a small frame waits up to 40 ms for the client to acknowledge the
 * previous one. A nudging client avoids the wait, for a fairer comparison.
 */
const codex = (file: string, name: 'codex' | 'codex-nudge'): ServerKind => ({
  name,
  isConsole: false,
  start: () =>
    run(name, () => ({
      command: [file, 'exec-server', '--listen', 'ws://127.0.0.1:0'],
      printedLines: 1,
      token: () => null,
      isNudged: name === 'codex-nudge',
    })),
});

/**
 * Returns the named servers, or all that are not optional: exec-console and, if it is installed, Codex's server
 * with and without a nudging client.
 */
export function findServers(wanted?: readonly string[]): ServerKind[] {
  const file = process.env['CODEX_BIN'] ?? findInPath('codex');
  const found = [
    ours,
    unrecorded,
    ...(file === null ? [] : [codex(file, 'codex'), codex(file, 'codex-nudge')]),
  ];
  return found.filter(({ name, isOptional }) => wanted?.includes(name) ?? !isOptional);
}

interface Recipe {
  readonly command: readonly string[];
  /** Number of lines to read: the first has the server's address, the second the page's. */
  readonly printedLines: 1 | 2;
  readonly token: () => string | null;
  readonly stateDir?: string;
  readonly isNudged?: boolean;
}

async function run(name: string, recipe: (dir: string) => Recipe): Promise<Server> {
  const dir = mkdtempSync(join(tmpdir(), 'exec-bench-'));
  const { command, printedLines, token, stateDir = null, isNudged = false } = recipe(dir);
  const [file = '', ...args] = command;
  // The child gets its own process group, because an installed command may be a wrapper, and its own HOME, so
  // that no user's configuration is read.
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    env: { ...process.env, HOME: dir, CODEX_HOME: dir },
  });
  // The server must end when the benchmark is interrupted, too.
  const endAtExit = (): void => void signal(child, 'SIGTERM');
  process.once('exit', endAtExit);
  const stop = async (): Promise<void> => {
    await end(child);
    process.off('exit', endAtExit);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const lines = await within(printed(child, printedLines), `${name} to print its address`);
    const [url = '', pageUrl = null] = lines;
    const pid = serverOf(child.pid ?? 0);
    return { subject: { name, url, token: token(), isNudged, pageUrl, stateDir, pid }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function printed(child: ChildProcess, count: number): Promise<string[]> {
  if (!child.stdout) throw new Error('invariant violation: nothing to read from');
  await once(child, 'spawn');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) === count) return lines;
  }
  throw new Error('it exited instead');
}

/**
 * Returns the PID of the server itself: the innermost descendant that is not a keeper. A fresh server runs no
 * processes, so it has no other children.
 */
function serverOf(pid: number): number {
  const child = childrenOf(pid).find((each) => !isKeeper(each));
  return child === undefined ? pid : serverOf(child);
}

const STOP_MS = 5000;

/** Sends a signal to the child's process group; returns false when the child has ended or was not started. */
function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): boolean {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
  return process.kill(-child.pid, name);
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  if (!signal(child, 'SIGTERM')) return;
  const timer = setTimeout(() => signal(child, 'SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(timer);
}

function findInPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const isThere = (folder: string): boolean => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return readdirSync(folder).includes(name);
    } catch {
      return false;
    }
  };
  const folder = folders.find(isThere);
  return folder === undefined ? null : join(folder, name);
}
