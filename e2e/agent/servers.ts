// The two servers that an agent is run against: the reference and exec-console.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Tokens } from '../../server/policy/tokens.ts';

export interface ExecServer {
  readonly name: string;
  readonly url: string;
  /** Token for the agent's `auth_bearer_token`; null if the server needs none. */
  readonly token: string | null;
  /** Token of the person who decides requests; null without approvals. */
  readonly operatorToken: string | null;
  /** The agent's configuration folder on the server's machine. */
  readonly codexHome: string;
  /**
   * Kills a gateway that has a keeper, and starts another one with the same state and port; no effect on
   * other servers.
   */
  replace(): Promise<void>;
  stop(): Promise<void>;
}

/** Time limit for a server to stop, in which it first ends its processes. */
const STOPS_WITHIN_MS = 60_000;

const root = fileURLToPath(new URL('../../', import.meta.url));

async function launched(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('invariant violation: a child without stdout');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return line;
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
  await gone;
  clearTimeout(patience);
}

export async function reference(codex: string): Promise<ExecServer> {
  const dir = mkdtempSync(join(tmpdir(), 'agent-reference-'));
  const child = spawn(codex, ['exec-server', '--listen', 'ws://127.0.0.1:0'], {
    env: { ...process.env, CODEX_HOME: dir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await launched(child);
  return {
    name: 'reference',
    url,
    token: null,
    operatorToken: null,
    codexHome: dir,
    replace: () => Promise.resolve(),
    stop: () => ended(child, dir),
  };
}

/** Starts the built gateway; the token is an operator's, so that `console/` methods can be called too. */
export async function ours({ hasKeeper = false } = {}): Promise<ExecServer> {
  const dir = mkdtempSync(join(tmpdir(), 'agent-gateway-'));
  const file = join(dir, 'token');
  const stateDir = join(dir, 'state');
  mkdirSync(stateDir, { mode: 0o700 });
  const { token: operatorToken } = new Tokens(stateDir).create({
    name: 'Ada',
    role: 'operator',
    ttlMs: null,
  });
  const args = ['--ws-token-file', file, '--state-dir', stateDir, '--keeper', hasKeeper ? 'on' : 'off'];
  const started = (port: string): ChildProcess =>
    spawn(
      process.execPath,
      [join(root, 'dist/server/main.js'), '--listen', `ws://127.0.0.1:${port}`, ...args],
      {
        // A separate home, because the user's profile may take seconds to run in a login shell.
        env: { ...process.env, HOME: dir, CODEX_HOME: dir },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
  let child = started('0');
  const url = await launched(child);
  const token = readFileSync(file, 'utf8').trim();
  return {
    name: 'exec-console',
    url,
    token,
    operatorToken,
    codexHome: dir,
    async replace() {
      if (!hasKeeper) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      child = started(new URL(url.replace('ws:', 'http:')).port);
      await launched(child);
    },
    stop: () => ended(child, dir),
  };
}

async function ended(child: ChildProcess, dir: string): Promise<void> {
  await stopped(child);
  rmSync(dir, { recursive: true, force: true });
}
