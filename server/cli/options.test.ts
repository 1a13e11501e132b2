// Flags of the gateway, valid and invalid.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand, type Options } from './options.ts';
import { parsePublicUrl } from '../policy/public-url.ts';
import { UsageError } from './usage-error.ts';

function options(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Options {
  const command = parseCommand(argv, env);
  if (command.kind !== 'serve') throw new Error(`not serve: ${command.kind}`);
  return command.options;
}

const TLS = ['--tls-cert', 'C', '--tls-key', 'K'] as const;
const PUBLIC = ['--public-url', 'https://h/p'] as const;

describe('Valid flags', () => {
  it('have defaults', () => {
    expect(options([])).toEqual({
      host: '127.0.0.1',
      port: 7420,
      portIsFixed: false,
      stateDir: join(homedir(), '.local/state/exec-console'),
      tokenFile: null,
      publicUrl: null,
      tls: null,
      trustedProxies: [],
      approvals: 'never',
      ruleFiles: [],
      onWaiting: null,
      statusPages: [],
      sandbox: 'none',
      workspaces: [],
      runAs: null,
      keeper: process.platform === 'linux' ? 'auto' : 'off',
      limits: {},
      log: { format: 'text', level: 'warn' },
      record: true,
      banner: false,
    });
  });

  it.each([
    [['--listen', 'ws://127.0.0.1:0'], { host: '127.0.0.1', port: 0, portIsFixed: true }],
    [['--listen', 'ws://127.0.0.1:8000/'], { port: 8000 }],
    [['--listen=ws://[::1]:8000'], { host: '::1', port: 8000 }],
    [['--host', '127.0.0.2'], { host: '127.0.0.2', port: 7420, portIsFixed: false }],
    [['--host', 'localhost'], { host: '127.0.0.1' }],
    [['--port', '8000'], { port: 8000, portIsFixed: true }],
    [['--host', '::1', '--port', '0'], { host: '::1', port: 0 }],
    [['--run-as', 'agent'], { runAs: 'agent' }],
    [['--ws-token-file', 'T'], { tokenFile: resolve('T') }],
    [['--public-url', 'https://h/p'], { publicUrl: parsePublicUrl('https://h/p/') }],
    [
      ['--tls-cert', 'C', '--tls-key', 'K'],
      { host: '127.0.0.1', tls: { certPath: resolve('C'), keyPath: resolve('K') } },
    ],
    [['--host', '0.0.0.0', ...TLS], { host: '0.0.0.0' }],
    [['--host', '::', ...TLS], { host: '::' }],
    [['--listen', 'wss://192.168.1.2:443', ...TLS], { host: '192.168.1.2', port: 443 }],
    [
      ['--host', '0.0.0.0', ...PUBLIC, '--trusted-proxy', '10.0.0.2', '--trusted-proxy', 'fd00::/64'],
      {
        tls: null,
        trustedProxies: [
          { address: '10.0.0.2', prefix: 32 },
          { address: 'fd00::', prefix: 64 },
        ],
      },
    ],
    [['--ws-auth', 'capability-token', '--ws-token-file', '/T'], { tokenFile: '/T' }],
    [['--state-dir', 'S'], { stateDir: resolve('S') }],
    [['--sandbox', 'workspace-write'], { sandbox: 'workspace-write' }],
    [
      ['--sandbox', 'workspace-write', '--workspace', '.', '--workspace', '/usr'],
      { workspaces: [resolve('.'), '/usr'] },
    ],
    [['--banner'], { banner: true }],
    [['--max-processes', '7'], { limits: { processes: 7 } }],
    [['--retained-bytes', '2M'], { limits: { retainedBytes: 2_097_152 } }],
    [['--retained-bytes', '256K'], { limits: { retainedBytes: 262_144 } }],
    [['--max-processes-per-session', '9'], { limits: { processesPerSession: 9 } }],
    [['--live-bytes', '4G'], { limits: { liveBytes: 4_294_967_296 } }],
    [['--record-process', '2G'], { limits: { recordProcessBytes: 2_147_483_648 } }],
    [['--record-total', '500M'], { limits: { recordBytes: 524_288_000 } }],
    [['--record-age', '90d'], { limits: { recordAgeMs: 7_776_000_000 } }],
    [['--record-free', '64M'], { limits: { recordFreeBytes: 67_108_864, recordFreeShare: 1 } }],
    [['--log-format', 'json'], { log: { format: 'json', level: 'info' } }],
    [['--log-level', 'debug'], { log: { format: 'text', level: 'debug' } }],
    [['--shutdown-grace', '1m'], { limits: { shutdownGraceMs: 60_000 } }],
    [['--shutdown-grace', '0s'], { limits: { shutdownGraceMs: 0 } }],
  ] as const)('%j', (argv, expected) => {
    expect(options(argv)).toMatchObject(expected);
  });

  it('respect XDG_STATE_HOME', () => {
    expect(options([], { XDG_STATE_HOME: '/x' }).stateDir).toBe('/x/exec-console');
    expect(options([], { XDG_STATE_HOME: '' }).stateDir).toBe(join(homedir(), '.local/state/exec-console'));
  });

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['--version', 'version'],
  ])('%s', (flag, kind) => {
    expect(parseCommand([flag], {}).kind).toBe(kind);
  });
});

it.each(['stdio', 'stdio://'])(
  '--listen %s can only be combined with flags that concern neither port nor page',
  (listen) => {
    const argv = ['--listen', listen, '--state-dir', '/S', '--sandbox', 'read-only', '--max-processes', '5'];
    expect(parseCommand(argv, {})).toEqual({
      kind: 'serveStdio',
      options: {
        stateDir: '/S',
        sandbox: 'read-only',
        workspaces: [],
        runAs: null,
        limits: { processes: 5 },
        log: { format: 'text', level: 'warn' },
      },
    });
    for (const other of [['--port', '5'], ['--banner'], ['--ws-token-file', 'T']]) {
      expect(() => parseCommand(['--listen', listen, ...other], {})).toThrow(
        `cannot be combined with ${other[0]}`,
      );
    }
  },
);

describe('[AU8] Invalid flags', () => {
  it.each([
    [['--listen', 'ws://localhost:0'], 'expected ws://IP:PORT'],
    [['--listen', 'wss://127.0.0.1:0'], 'wss:// needs --tls-cert and --tls-key'],
    [['--listen', 'ws://127.0.0.1:0', ...TLS], 'use wss:// with --tls-cert'],
    [['--tls-cert', 'C'], '--tls-cert needs --tls-key'],
    [['--tls-key', 'K'], '--tls-key needs --tls-cert'],
    [['--trusted-proxy', '10.0.0.2'], '--trusted-proxy needs --public-url'],
    [['--trusted-proxy', '0.0.0.0/0', ...PUBLIC], 'a network with a prefix of at least 8 bits'],
    [['--trusted-proxy', 'proxy.example', ...PUBLIC], 'expected an IP address'],
    [['--listen', 'stdio://', '--shutdown-grace', '3s'], 'cannot be combined with --shutdown-grace'],
    [['--listen', 'stdio:'], 'or stdio://'],
    [['--listen', 'ws://127.0.0.1'], 'expected ws://IP:PORT'],
    [['--listen', 'ws://127.0.0.1:0/path'], 'expected ws://IP:PORT'],
    [['--listen', 'ws://127.0.0:0'], 'expected an IP address'],
    [['--listen', 'ws://0.0.0.0:0'], 'so it needs TLS'],
    [['--listen', 'ws://[::]:0'], 'so it needs TLS'],
    [['--listen', 'ws://[::ffff:127.0.0.1]:0'], 'expected ws://IP:PORT'],
    [['--listen', 'stdio:/'], 'expected ws://IP:PORT'],
    [['--listen', 'ws://127.0.0.1:0', '--port', '1'], 'not both'],
    [['--listen', 'ws://127.0.0.1:0', '--host', '127.0.0.1'], 'not both'],
    [['--listen'], '--listen'],
    [['--workspace', '.'], '--workspace needs --sandbox workspace-write'],
    [['--workspace', '.', '--sandbox', 'read-only'], '--workspace needs --sandbox workspace-write'],
    [['--workspace', '/', '--sandbox', 'workspace-write'], 'the whole machine'],
    [
      ['--workspace', '/proc/none', '--sandbox', 'workspace-write'],
      '--workspace /proc/none: there is no such folder',
    ],
    [['--workspace', '/etc/passwd', '--sandbox', 'workspace-write'], 'there is no such folder'],
    [['--host', '0.0.0.0'], 'so it needs TLS'],
    [['--host', '192.168.1.2'], 'so it needs TLS'],
    [['--host', '192.168.1.2', ...PUBLIC], 'so it needs TLS'],
    [['--host', '::'], 'so it needs TLS'],
    [['--host', '::ffff:127.0.0.1'], 'so it needs TLS'],
    [['--public-url', 'host.example'], 'expected http(s)://HOST'],
    [['--sandbox', 'yes'], 'expected one of none, workspace-write, read-only'],
    [['--host', 'example.com'], 'expected an IP address'],
    [['--port', '65536'], 'expected a port from 0 to 65535'],
    [['--port', '-1'], '--port -1: expected a port from 0 to 65535'],
    [['--max-processes', '-1'], '--max-processes -1: expected a whole number from 1'],
    [['--port', '1e3'], 'expected a port'],
    [['--port='], '--port needs a value'],
    [['--port', '1', '--port', '2'], 'given twice'],
    [['--state-dir', ''], '--state-dir needs a value'],
    [['--ws-auth', 'signed-bearer-token'], 'only capability-token is supported'],
    [['--no-auth'], 'the gateway has no flag --no-auth'],
    [['serve'], 'unexpected argument "serve": the gateway takes only flags'],
    [['--help=yes'], '--help takes no value'],
    [['--on-waiting'], '--on-waiting needs a value: COMMAND'],
    [['--sandbox'], '--sandbox needs a value: none, workspace-write, or read-only'],
    [['--max-processes', '0'], 'expected a whole number from 1'],
    [['--max-processes', '5k'], 'expected a whole number from 1'],
    [['--retained-bytes', '65M'], 'at most 64M'],
    [['--retained-bytes', '1G'], 'at most 64M'],
    [['--retained-bytes', '255K'], 'at least 256K'],
    [['--live-bytes', '1M'], 'at least 64M'],
    [['--record-process', '10M'], 'at least 64M'],
    [['--record-age', '5s'], 'at least 1m'],
    [['--log-format', 'xml'], 'expected one of text, json'],
    [['--log-level', 'loud'], 'expected one of debug, info, warn, error'],
    [['--shutdown-grace', 'soon'], 'expected a duration'],
    [['--shutdown-grace', '1h'], 'expected a duration'],
    [['--approval-timeout', '0s'], 'expected a duration'],
  ] as const)('%j: %s', (argv, message) => {
    expect(() => parseCommand(argv, {})).toThrow(UsageError);
    expect(() => parseCommand(argv, {})).toThrow(message);
  });
});

it('[HE2] a status page has an agent, an address and a component', () => {
  const parsed = parseCommand(['--status-page', 'codex=https://s.example/a?b=c,d,Codex Web'], {});
  if (parsed.kind !== 'serve') throw new Error('no gateway');
  expect(parsed.options.statusPages).toEqual([
    { agent: 'codex', url: new URL('https://s.example/a?b=c,d'), component: 'Codex Web' },
  ]);
  for (const wrong of [
    'codex',
    'codex=https://s.example',
    '=https://s.example,C',
    'codex=file:///x,C',
    'c=no,C',
  ])
    expect(() => parseCommand(['--status-page', wrong], {})).toThrow('expected NAME=URL,COMPONENT');
});
