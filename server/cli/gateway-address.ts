// Finds the gateway that a command connects to, and its token: this user's running gateway, or a specified one.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findLocalGateway, type LocalGateway } from '../policy/local-gateway.ts';
import { keeperPid } from '../keeper/link/keeper-pid.ts';
import type { Arguments } from './arguments.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { startCommand, stateDirOf } from './state-folder.ts';
import { UsageError } from './usage-error.ts';

export interface GatewayAddress {
  /** WebSocket URL, such as `ws://127.0.0.1:7420/`; for a local gateway, that of its successor after a restart. */
  readonly url: URL;
  readonly token: string;
  /** PID of a local gateway that was found by its state folder; null for one given by address. */
  readonly pid: number | null;
  /** Returns true while a keeper runs for the state folder of a local gateway; absent for one given by address. */
  readonly hasKeeper?: () => boolean;
  /** Returns the fingerprint of the only trusted certificate; null: the system's authorities decide. */
  readonly fingerprint: () => string | null;
}

/**
 * Returns the gateway's address: flags override the environment, and a specified gateway overrides a found one.
 * Tokens in a URL or a state folder are used only for that gateway; the one in EXEC_CONSOLE_TOKEN for any gateway,
 * unless --state-dir is set. Throws CommandFailed when no gateway is running, and UsageError for an invalid address or
 * token file, or a specified gateway without a token.
 */
export function gatewayAddress(args: Arguments, env: NodeJS.ProcessEnv): GatewayAddress {
  const tokenFile = args.text('token-file');
  const fileToken = tokenFile === null ? null : tokenIn(tokenFile);
  const named = namedUrl(args, env);
  const source = args.text('url') === null ? 'EXEC_CONSOLE_URL' : '--url';
  const usualToken = variable('EXEC_CONSOLE_TOKEN', args, env);
  if (named !== null) return namedGateway(webSocketUrl(named, source), { fileToken, usualToken });
  const folder = stateDirOf(args.text('state-dir'), env);
  const found = findLocalGateway(folder);
  if (!found || !isRunning(found.pid)) {
    throw new CommandFailed(
      ExitCode.noGateway,
      `no gateway is running; start one with: ${startCommand(args.text('state-dir'))}\n` +
        `The state folder is ${folder}; set --state-dir to use another gateway's.\n` +
        'To use one on another machine, set --url or EXEC_CONSOLE_URL (see exec-console ps --help).',
    );
  }
  // The folder has no address between the end of one gateway and the start of the next; the old address is used then.
  const newest = (): LocalGateway => findLocalGateway(folder) ?? found;
  return {
    get url() {
      return webSocketUrl(newest().url);
    },
    get token() {
      return fileToken ?? usualToken ?? newest().token;
    },
    get pid() {
      return newest().pid;
    },
    hasKeeper: () => keeperPid(folder) !== null,
    fingerprint: () => newest().fingerprint,
  };
}

/** Returns the URL of a gateway given by address; null for one that is found by its state folder. */
export const namedUrl = (args: Arguments, env: NodeJS.ProcessEnv): string | null =>
  args.text('url') ?? variable('EXEC_CONSOLE_URL', args, env);

/** Returns the value of an environment variable; null when it is unset or empty, and with `--state-dir`. */
const variable = (name: string, args: Arguments, env: NodeJS.ProcessEnv): string | null =>
  (args.text('state-dir') === null && env[name]) || null;

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface Tokens {
  readonly fileToken: string | null;
  /** Token from the environment. */
  readonly usualToken: string | null;
}

function namedGateway(url: URL, { fileToken, usualToken }: Tokens): GatewayAddress {
  const token = fileToken ?? url.searchParams.get('token') ?? usualToken;
  if (token === null) {
    throw new UsageError(
      'a gateway given by its address needs a token: use --token-file PATH or set EXEC_CONSOLE_TOKEN',
    );
  }
  url.search = '';
  return { url, token, pid: null, fingerprint: () => null };
}

/**
 * Returns the URL with `ws:` or `wss:`, without a fragment; `source`: the flag, variable or file that contains it, for
 * the error. Throws UsageError.
 */
function webSocketUrl(text: string, source = 'gateway.json'): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^(wss?|https?):$/.test(url.protocol)) {
    throw new UsageError(`${source} ${text}: expected the URL of a gateway, such as ws://127.0.0.1:7420`);
  }
  url.protocol = url.protocol.replace('http', 'ws');
  url.hash = '';
  return url;
}

function tokenIn(path: string): string {
  let token: string;
  try {
    token = readFileSync(resolve(path), 'utf8').trim();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
      EACCES: 'you are not allowed to read this file',
    };
    const reason = reasons[code ?? ''] ?? message;
    throw new UsageError(`--token-file ${path}: ${reason}; name a file with a token of the gateway`, {
      cause,
    });
  }
  if (token === '')
    throw new UsageError(`--token-file ${path}: the file is empty; name a file with a token of the gateway`);
  return token;
}
