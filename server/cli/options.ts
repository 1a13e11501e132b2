// The gateway's flags: argv → what was asked for, or a sentence that says what was expected.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parsePublicUrl, type PublicUrl } from '../auth/public-url.ts';
import { FLOORS, type Floor } from '../sandbox/floor.ts';
import { LIMIT_FLAGS, limitsOf, type ChosenLimits } from './limit-flags.ts';
import { stateDirOf } from './state-folder.ts';
import { UsageError } from './usage-error.ts';

export const DEFAULT_PORT = 7420;
const DEFAULT_HOST = '127.0.0.1';

export interface Options {
  readonly host: string;
  readonly port: number;
  readonly portIsFixed: boolean;
  readonly stateDir: string;
  readonly tokenFile: string | null;
  readonly publicUrl: PublicUrl | null;
  /** The weakest sandbox that applies. */
  readonly sandbox: Floor;
  /** In place of the usual ones. */
  readonly limits: ChosenLimits;
  /** Whether to print for a person, too. */
  readonly banner: boolean;
}

export type StdioOptions = Pick<Options, 'stateDir' | 'sandbox' | 'limits'>;

export type Command =
  | { readonly kind: 'serve'; readonly options: Options }
  | { readonly kind: 'serveStdio'; readonly options: StdioOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

export const HELP = `exec-console: see and steer every process your coding agents run

usage: exec-console [flags]            starts the gateway
       exec-console COMMAND …        talks to the running one; the commands are listed below

  --listen ws://IP:PORT   where to listen, as the reference spells it; port 0 = any free one
  --listen stdio://       instead, for who spawns it: one message per line on stdin and stdout; ends with stdin
  --host IP               the same, friendlier: the address (default ${DEFAULT_HOST}; only loopback, so far)
  --port PORT             and the port (default ${DEFAULT_PORT}, or the next free one; a port that is named must be free)
  --ws-token-file PATH    a file with a token; made, for its owner only, if it is missing.
                          Whoever has the token is an operator; it is sent as "Authorization: Bearer …"
  --ws-auth capability-token
                          accepted, as in the reference; it is the only kind there is
  --state-dir PATH        where tokens (as hashes) and the address of the running gateway are kept
                          (default $XDG_STATE_HOME/exec-console or ~/.local/state/exec-console)
  --public-url URL        where a reverse proxy of yours shows the page, as https://host.example/console/. Its Host and
                          Origin are let in beside our own, and links name it. It strips the path, and passes
                          WebSockets on
  --sandbox none|workspace-write|read-only
                          the weakest sandbox of whatever is started here: who asks for less, or for none, gets
                          this one (default none: what an agent asks for is kept, and nothing else)
  --max-processes N       how many processes may run at once (default 1000)
  --retained-bytes N      output kept of each live process, as 1048576 or 1M (default 1M; at most 64M)
  --shutdown-grace TIME   from SIGTERM to SIGKILL when the gateway stops, as 3 or 3s (default 3s; at most 10m)
  --banner                for people: explain how to open the page, connect an agent and stop. It goes to
                          stderr; on a terminal it takes the place of the two lines on stdout
  --help                  print this, and nothing else
  --version               print the version

The first line on stdout is the address for agents, the second the link for people. Logs go to stderr.
`;

const FLAGS = {
  listen: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'ws-auth': { type: 'string' },
  'ws-token-file': { type: 'string' },
  'state-dir': { type: 'string' },
  'public-url': { type: 'string' },
  sandbox: { type: 'string' },
  ...LIMIT_FLAGS,
  banner: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

/** Throws UsageError. */
export function parseCommand(argv: readonly string[], env: NodeJS.ProcessEnv): Command {
  const values = parseFlags(argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  if (/^stdio(:\/\/)?$/.test(values.listen ?? '')) return stdio(values, env);
  if (values['ws-auth'] !== undefined && values['ws-auth'] !== 'capability-token') {
    throw new UsageError(`--ws-auth ${values['ws-auth']}: only capability-token is supported`);
  }
  const tokenFile = values['ws-token-file'];
  return {
    kind: 'serve',
    options: {
      ...address(values),
      ...common(values, env),
      tokenFile: tokenFile === undefined ? null : resolve(tokenFile),
      publicUrl: publicUrl(values['public-url']),
      banner: values.banner ?? false,
    },
  };
}

type Flags = ReturnType<typeof parseFlags>;

function common(values: Flags, env: NodeJS.ProcessEnv): StdioOptions {
  const sandbox = values.sandbox ?? 'none';
  const floor = FLOORS.find((known) => known === sandbox);
  if (!floor) throw new UsageError(`--sandbox ${sandbox}: expected one of ${FLOORS.join(', ')}`);
  return { stateDir: stateDirOf(values['state-dir'] ?? null, env), sandbox: floor, limits: limitsOf(values) };
}

const STDIO_FLAGS: readonly string[] = ['listen', 'state-dir', 'sandbox', ...Object.keys(LIMIT_FLAGS)];

/** There is no address, no page and no token, so nothing is left to be said about them. */
function stdio(values: Flags, env: NodeJS.ProcessEnv): Command {
  const other = Object.keys(values).find((flag) => !STDIO_FLAGS.includes(flag));
  if (other !== undefined) throw new UsageError(`--listen ${values.listen} does not go with --${other}`);
  return { kind: 'serveStdio', options: common(values, env) };
}

function parseFlags(argv: readonly string[]) {
  const { values, tokens } = parse(argv);
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.value === '') throw new UsageError(`${token.rawName}: expected a value`);
    if (given.has(token.name)) throw new UsageError(`${token.rawName} was given twice`);
    given.add(token.name);
  }
  return values;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: FLAGS, strict: true, tokens: true });
  } catch (cause) {
    // Node adds advice about positional arguments, of which there are none.
    const [sentence = ''] = (cause as Error).message.split(/\. |\n/);
    throw new UsageError(sentence, { cause });
  }
}

function publicUrl(text: string | undefined): PublicUrl | null {
  if (text === undefined) return null;
  const parsed = parsePublicUrl(text);
  if (parsed) return parsed;
  throw new UsageError(`--public-url ${text}: expected http(s)://HOST[:PORT][/PATH/], and nothing else`);
}

type Address = Pick<Options, 'host' | 'port' | 'portIsFixed'>;

function address({ listen, host, port }: { listen?: string; host?: string; port?: string }): Address {
  if (listen === undefined) {
    return {
      host: checkHost(host ?? DEFAULT_HOST, '--host'),
      port: port === undefined ? DEFAULT_PORT : checkPort(port, '--port'),
      portIsFixed: port !== undefined,
    };
  }
  if (host !== undefined || port !== undefined) {
    throw new UsageError('give either --listen or --host and --port, not both');
  }
  const [, ip, bracketed, listenPort] = /^ws:\/\/(?:([\d.]+)|\[([\da-f:]+)\]):(\d+)\/?$/i.exec(listen) ?? [];
  if (listenPort === undefined) {
    throw new UsageError(
      `--listen ${listen}: expected ws://IP:PORT, for example ws://127.0.0.1:${DEFAULT_PORT}, or stdio://`,
    );
  }
  return {
    host: checkHost(ip ?? bracketed ?? '', '--listen'),
    port: checkPort(listenPort, '--listen'),
    portIsFixed: true,
  };
}

function checkHost(host: string, flag: string): string {
  const ip = host === 'localhost' ? DEFAULT_HOST : host;
  if (isIP(ip) === 0)
    throw new UsageError(`${flag} ${host}: expected an IP address, for example ${DEFAULT_HOST}`);
  if (!/^127\.|^::1$/.test(ip)) {
    throw new UsageError(
      `${flag} ${host}: only loopback addresses (127.0.0.1, ::1) are served, since there is no TLS yet; ` +
        'to reach the gateway from elsewhere use a tunnel, for example ssh -L',
    );
  }
  return ip;
}

function checkPort(port: string, flag: string): number {
  const number = Number(port);
  if (!/^\d{1,5}$/.test(port) || number > 65_535)
    throw new UsageError(`${flag} ${port}: expected a port from 0 to 65535`);
  return number;
}
