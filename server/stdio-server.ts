// A gateway for the program that spawned it: it is reachable only over stdin and stdout, and ends when that connection
// ends.
import type { Readable, Writable } from 'node:stream';
import type { Identity } from './policy/identity.ts';
import type { Limits } from './config.ts';
import { whatAsks } from './approvals/unasked.ts';
import { Gateway } from './gateway.ts';
import type { Log } from './ops/log.ts';
import type { User } from './host/user.ts';
import type { Floor } from './host/sandbox/floor.ts';
import { Sandboxes } from './host/sandbox/sandboxes.ts';
import { StdioChannel } from './doors/stdio.ts';
import { foldersElsewhere } from './keeper/wire/place.ts';

export interface StdioConfig {
  readonly stateDir: string;
  readonly sandbox: Floor;
  readonly workspaces: readonly string[];
  readonly user: User | null;
  readonly version: string;
  readonly limits: Limits;
  readonly input: Readable;
  readonly output: Writable;
}

export interface StdioServer {
  /** Resolves when the connection is closed and no process is left; rejects when the gateway cannot start. */
  readonly ended: Promise<void>;
  /** Ends the processes, then the connection. Idempotent. */
  close(): Promise<void>;
}

/** The spawner needs no credentials, because it can already start any program here. */
const SPAWNER: Identity = { tokenId: 'stdio', name: 'stdio', role: 'operator', expiresAtMs: null };

/**
 * Throws when the state folder requires approvals, has pauses, or has forbidding or broken rules, because none of them
 * works here.
 */
export function createStdioServer(config: StdioConfig, log: Log): StdioServer {
  const asking = whatAsks(config.stateDir);
  if (asking !== null)
    throw new Error(
      `--listen stdio:// supports neither approvals nor rules, but ${asking}; ` +
        'use --listen ws:// instead, or a separate --state-dir',
    );
  const { limits, version, input, output } = config;
  const gateway = new Gateway({
    limits,
    sandboxes: new Sandboxes({
      stateDir: config.stateDir,
      folders: foldersElsewhere(config.stateDir),
      floor: config.sandbox,
      workspaces: config.workspaces,
      user: config.user,
    }),
    user: config.user,
    version,
    auditPath: null,
    access: null,
    log,
  });
  const channel = new StdioChannel(input, output, limits);
  const prepared = gateway.prepare().then(() => {
    log('info', 'listening on stdin', { event: 'gatewayStarted', url: 'stdio://', version });
    gateway.serve(channel, SPAWNER);
  });
  // Clients kill their server at most two seconds after its stdin ends, so a grace period would leave orphans.
  const withoutGrace = 0;
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= prepared.then(async () => {
      log('info', 'stopping', { event: 'gatewayStopping' });
      await gateway.close(withoutGrace);
      channel.close();
      await channel.gone;
      log('info', 'stopped', { event: 'gatewayStopped' });
    });
    return closing;
  };
  return { ended: prepared.then(() => channel.gone).then(close), close };
}
