// A gateway for the one who has spawned it: stdin and stdout are its only door, and it ends with them.
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
  /** Resolves when the connection is over and no process is left; rejects when it cannot begin. */
  readonly ended: Promise<void>;
  /** Ends the processes, then the connection. Idempotent. */
  close(): Promise<void>;
}

/** The spawner needs no other proof: it can start any program here. */
const SPAWNER: Identity = { tokenId: 'stdio', name: 'stdio', role: 'operator', expiresAtMs: null };

/** Throws when the state folder asks people about commands, or forbids some: nobody could be asked here. */
export function createStdioServer(config: StdioConfig, log: Log): StdioServer {
  const asking = whatAsks(config.stateDir);
  if (asking !== null)
    throw new Error(
      `--listen stdio:// has no approvals and no rules, but ${asking}; ` +
        'listen on ws:// instead, or give it a --state-dir of its own',
    );
  const { limits, version, input, output } = config;
  const gateway = new Gateway({
    limits,
    sandboxes: new Sandboxes({
      stateDir: config.stateDir,
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
    log('info', 'listens on stdin', { event: 'gatewayStarted', url: 'stdio://', version });
    gateway.serve(channel, SPAWNER);
  });
  // A client that ends its server waits two seconds at the most before it kills it: a grace would leave orphans.
  const withoutGrace = 0;
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= prepared.then(async () => {
      log('info', 'stops', { event: 'gatewayStopping' });
      await gateway.close(withoutGrace);
      channel.close();
      await channel.gone;
      log('info', 'has stopped', { event: 'gatewayStopped' });
    });
    return closing;
  };
  return { ended: prepared.then(() => channel.gone).then(close), close };
}
