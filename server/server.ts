// Assembles all parts of a gateway: createServer() opens no port, listen() opens it, and close() closes it.
import { join } from 'node:path';
import { Challenges } from './policy/challenges.ts';
import { LinkCodes } from './policy/link-codes.ts';
import {
  announceLocalGateway,
  findLocalGateway,
  LOCAL_NAME,
  leftLocalToken,
  newLocalToken,
  withdrawLocalGateway,
  type LocalGateway,
} from './policy/local-gateway.ts';
import { ServedPeers } from './policy/served-peers.ts';
import { Shares } from './policy/shares.ts';
import { ownsProcesses, seesGateway } from './policy/roles.ts';
import { openStateDir } from './policy/state-dir.ts';
import { readTokenFile } from './policy/token-file.ts';
import { Tokens } from './policy/tokens.ts';
import type { Config } from './config.ts';
import { seenHealth } from './console/viewers.ts';
import { Gateway } from './gateway.ts';
import { readCertificate, watchCertificate, type Certificate } from './doors/http/certificate.ts';
import { StatusPages } from './ops/status-pages.ts';
import { KeeperHome } from './adoption/keeper-home.ts';
import { missingRules } from './approvals/missing-rules.ts';
import { askKeeper } from './keeper/link/ask-keeper.ts';
import { foldersElsewhere } from './keeper/wire/place.ts';
import { VitalSigns } from './ops/vital-signs.ts';
import { Listener } from './doors/http/listener.ts';
import { localName, shownName } from './doors/http/shown-address.ts';
import { McpDoor } from './mcp/door.ts';
import { loadPage } from './doors/http/static-files.ts';
import { defectLine } from './ops/lines.ts';
import { countedText } from '../text/amounts.ts';
import type { Log } from './ops/log.ts';
import { Sandboxes } from './host/sandbox/sandboxes.ts';
import { WebSocketTransport } from './doors/websocket.ts';

export interface Server {
  /**
   * Finds or starts the keeper; `listen` does so if this was not called. Rejects with an error whose message is for
   * people.
   */
  open(): Promise<void>;
  /** Binds and serves. Rejects with an error whose message is for people. */
  listen(): Promise<Addresses>;
  /** Ends the processes, then closes the connections, then the port. Idempotent. */
  close(): Promise<void>;
  /**
   * Closes the connections and the port, and leaves the processes to a later gateway. Without a keeper it is
   * like `close`.
   */
  leave(): Promise<void>;
  /** Resolves when another gateway has taken over the processes; the caller must then call `leave`. */
  readonly displaced: Promise<void>;
}

export interface Addresses {
  /** URL such as `ws://127.0.0.1:7420`; with TLS, `wss` and a name from the certificate. */
  readonly url: string;
  readonly port: number;
  /** Returns a link with a new single-use code. */
  pageUrl(): string;
  /** Returns a URL for an agent, with a new token. */
  agentUrl(): string;
}

export function createServer(given: Config, log: Log): Server {
  const config = { ...given, stateDir: openStateDir(given.stateDir) };
  const { limits } = config;
  const page = loadPage(config.pageDir);
  let certificate = config.tls && readCertificate(config.tls);
  const tokens = new Tokens(config.stateDir);
  if (config.tokenFile) tokens.accept(readTokenFile(config.tokenFile), 'token file', 'operator');
  const shares = new Shares(tokens);
  const codes = new LinkCodes(limits.codeTtlMs);
  let hasDisplaced!: () => void;
  const displaced = new Promise<void>((resolve) => (hasDisplaced = resolve));
  const keeperEvents = {
    displaced: hasDisplaced,
    trouble: (reason: string | null) => gateway.health.report('keeper', reason),
    unnoted: (reason: string | null) => gateway.health.report('notes', reason),
    notUpgraded: (reason: string | null) => gateway.health.report('keeperProgram', reason),
    withoutKeeper: (reason: string | null) => gateway.health.report('keeperDisk', reason),
  };
  const withoutDisk = config.keeper === 'on' ? 'refused' : 'started in the gateway';
  const home =
    config.keeper === 'off' ? null : new KeeperHome(config.stateDir, limits, keeperEvents, withoutDisk);
  const sandboxes = new Sandboxes({
    stateDir: config.stateDir,
    secretFiles: secretFilesOf(config),
    folders: foldersElsewhere(config.stateDir),
    floor: config.sandbox,
    workspaces: config.workspaces,
    user: config.user,
    ...(home && { holder: () => home.link.welcome.pid }),
  });
  const statusPages = new StatusPages(config.statusPages, {
    warned: (page, warning) => {
      gateway.health.notice(`${page.agent} ${page.url.href} ${page.component}`, warning);
      if (warning !== null) log('warn', warning, { event: 'statusPage', agent: page.agent });
    },
  });
  const gateway: Gateway = new Gateway({
    statusPages,
    limits,
    sandboxes,
    user: config.user,
    version: config.version,
    auditPath: join(config.stateDir, 'audit.jsonl'),
    recordings: { root: join(config.stateDir, 'rec'), isOn: config.record },
    access: { tokens, shares },
    approvals: {
      stateDir: config.stateDir,
      policy: config.approvals,
      ruleFiles: config.ruleFiles,
      onWaiting: config.onWaiting,
    },
    log,
    home,
  });
  const vitals = new VitalSigns({
    stateDir: config.stateDir,
    health: gateway.health,
    everyMs: limits.vitalsMs,
  });
  const transport = new WebSocketTransport(limits);
  const mcp = new McpDoor({
    room: gateway.unified,
    decide: (...decision) => gateway.decideInClient(...decision),
    limits,
    version: config.version,
    notes: home?.agents ?? null,
    whyFull: (identity) => gateway.whyFull(identity),
    take: (identity) => gateway.descriptors.take(identity),
  });
  const listener = new Listener({
    page,
    limits,
    certificate,
    peers: new ServedPeers(config.trustedProxies),
    publicUrl: config.publicUrl,
    exchange: {
      codes,
      tokens,
      shares,
      tokenTtlMs: limits.pageTokenTtlMs,
      isConnected: (tokenId) => gateway.connectedWith(tokenId) > 0,
    },
    codeTtlMs: limits.codeTtlMs,
    statusFor: (identity) => ({
      ...seenHealth(gateway.health.state, identity),
      ...(seesGateway(identity) && vitals.read()),
    }),
    metricsFor: (identity) =>
      seesGateway(identity) ? gateway.metrics({ vitals: vitals.read(), refused: listener.refused }) : null,
    verify: (token) => tokens.verify(token),
    challenges: new Challenges(tokens),
    whyFull: (identity) => gateway.whyFull(identity),
    onUpgrade: (upgrade) =>
      transport.accept(
        {
          ...upgrade,
          messageBytes: ownsProcesses(upgrade.identity) ? limits.messageBytes : limits.messageBytesOfObserver,
        },
        (channel) => {
          if (upgrade.greeting !== null) channel.send(upgrade.greeting);
          gateway.serve(channel, upgrade.identity, upgrade.pageUrl);
        },
      ),
    mcp: (...request) => mcp.serve(...request),
    reportDefect: (what, error) => log(...defectLine(what, error)),
    audit: ({ identity, from, ...act }) =>
      gateway.audit.record({
        who: identity?.name ?? '',
        role: identity?.role ?? '',
        token: identity?.tokenId ?? '',
        connection: '',
        from,
        key: null,
        ...act,
      }),
  });
  const unwatchTokens = tokens.watch(
    (id) => {
      codes.forget(id);
      mcp.revoke(id);
      gateway.revoke(id);
    },
    (reason) => gateway.health.report('tokens', reason),
  );
  let announced: LocalGateway | null = null;
  let unwatchCertificate = (): void => {};
  let announceTimer: NodeJS.Timeout | undefined;
  let closing: Promise<void> | null = null;

  const warnOf = ({ warning }: Certificate): void => {
    if (warning !== null) log('warn', warning, { event: 'certificateWarning' });
  };

  const renew = (renewed: Certificate): void => {
    gateway.health.report('tls', null);
    warnOf(renewed);
    certificate = renewed;
    listener.replaceCertificate(renewed);
    const { fingerprint } = renewed;
    log('info', `now using the certificate ${fingerprint}`, { event: 'certificateRenewed', fingerprint });
    if (!announced) return;
    announced = { ...announced, fingerprint };
    announce(announced);
  };

  /**
   * Announces the gateway's new certificate to commands on this machine, which trust no other; retries after a failure.
   */
  const announce = (local: LocalGateway): void => {
    clearTimeout(announceTimer);
    try {
      // The file belongs to the gateway that started last with this folder, which may be another one.
      if (findLocalGateway(config.stateDir)?.token === local.token) {
        announceLocalGateway(config.stateDir, local);
      }
      gateway.health.report('announcement', null);
    } catch (error) {
      const { message } = error as Error;
      gateway.health.report(
        'announcement',
        `Commands on this machine do not trust the new certificate, because it could not be stored for them; the gateway retries: ${message}`,
      );
      announceTimer = setTimeout(() => announce(local), limits.certificateLookMs).unref();
    }
  };

  return {
    displaced,
    async open() {
      await home?.open();
    },
    async listen() {
      await home?.open();
      if (!home) await warnOfKeeper(config.stateDir, log);
      // The local token, for the owner of the state folder, has all rights. It is accepted before the takeover, which
      // ends sessions of tokens that are not accepted.
      const token = (home && leftLocalToken(config.stateDir)) ?? newLocalToken();
      tokens.accept(token, LOCAL_NAME, 'admin');
      await gateway.prepare();
      gateway.unified.restore((tokenId) => tokens.identityWith(tokenId));
      mcp.restore((tokenId) => tokens.identityWith(tokenId));
      for (const warning of sandboxes.warnings) log('warn', warning, { event: 'privateFileWarning' });
      for (const warning of missingRules(config.stateDir, config.ruleFiles))
        log('warn', warning, { event: 'missingRules' });
      const { port } = await listener.listen(config.host, config.port, config.portIsFixed);
      const [ws, http] = certificate ? ['wss', 'https'] : ['ws', 'http'];
      announced = {
        url: `${ws}://${localName(config.host)}:${port}`,
        pid: process.pid,
        fingerprint: certificate?.fingerprint ?? null,
        announcedAtMs: Date.now(),
        token,
      };
      announceLocalGateway(config.stateDir, announced);
      if (config.tls && certificate) {
        warnOf(certificate);
        unwatchCertificate = watchCertificate(config.tls, certificate.state, {
          everyMs: limits.certificateLookMs,
          changed: renew,
          failed: (reason) =>
            gateway.health.report(
              'tls',
              `The new certificate cannot be used, so the previous one stays in use: ${reason}`,
            ),
        });
      }
      log('info', `listening on ${announced.url}`, {
        event: 'gatewayStarted',
        url: announced.url,
        version: config.version,
      });
      const authority = (): string => `${shownName(config.host, certificate?.names ?? null)}:${port}`;
      return {
        url: `${ws}://${authority()}`,
        port,
        pageUrl: () =>
          `${config.publicUrl?.href ?? `${http}://${authority()}/`}#code=${codes.create({ role: 'operator', name: null, giver: null }).code}`,
        agentUrl: () => {
          const { token } = tokens.create({ name: 'agent', role: 'agent', ttlMs: limits.agentTokenTtlMs });
          return `${ws}://${authority()}/?token=${token}`;
        },
      };
    },
    close: () => end(() => gateway.close()),
    leave: () => {
      home?.closeNotes();
      return home ? end(() => gateway.leave(), true) : end(() => gateway.close());
    },
  };

  function end(endGateway: () => Promise<void>, leavesProcesses = false): Promise<void> {
    closing ??= (async () => {
      log('info', 'stopping', { event: 'gatewayStopping' });
      unwatchTokens();
      unwatchCertificate();
      clearTimeout(announceTimer);
      vitals.close();
      mcp.close();
      await endGateway();
      await transport.close();
      await listener.close();
      if (announced) withdrawLocalGateway(config.stateDir, announced, leavesProcesses);
      log('info', 'stopped', { event: 'gatewayStopped' });
    })();
    return closing;
  }
}

/** Warns of processes in a keeper, which a gateway without a keeper does not show. */
async function warnOfKeeper(stateDir: string, log: Log): Promise<void> {
  const left = process.platform === 'linux' ? await askKeeper(stateDir) : null;
  if (!left || left.processes.length === 0) return;
  log(
    'warn',
    `The keeper of this state folder still runs ${countedText(left.processes.length, 'process', 'processes')} that this gateway does not show: start the gateway without --keeper off, or end them with "exec-console keeper stop"`,
    { event: 'keeperLeft', processes: left.processes.length },
  );
}

/** Returns the files whose readers would gain the rights of an operator or of the gateway. */
const secretFilesOf = ({ tokenFile, tls }: Config): string[] =>
  [tokenFile, tls?.keyPath ?? null].filter((path) => path !== null);
