// The command: argv → config → listen → signals → stop. No other file of the gateway calls process.exit.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onceUnlocked } from './policy/file-lock.ts';
import { banner, commandOf } from './cli/banner.ts';
import { DEFAULT_PORT } from './cli/door-flags.ts';
import { printNote } from './cli/notes.ts';
import { ownVersion } from './cli/own-version.ts';
import { parseCommand, type Command, type Options, type StdioOptions } from './cli/options.ts';
import { takePort } from './cli/same-port.ts';
import { stateDirOf } from './cli/state-folder.ts';
import { UsageError } from './cli/usage-error.ts';
import { DEFAULT_LIMITS } from './config.ts';
import type { Log } from './ops/log.ts';
import { proofsIn } from './host/environment.ts';
import { findUser, type User } from './host/user.ts';
import { replacing, type Replace } from './replacing.ts';

const here = dirname(fileURLToPath(import.meta.url));
/** Folder of the package: the parent of `server/` in development, and of `dist/` when built. */
const root = here.endsWith(join('dist', 'server')) ? join(here, '../..') : join(here, '..');

function fail(code: number, ...lines: readonly string[]): never {
  printNote(...lines);
  process.exit(code);
}

function command(): Command {
  try {
    return parseCommand(process.argv.slice(2), process.env);
  } catch (error) {
    if (error instanceof UsageError)
      fail(2, error.message, 'Run "exec-console --help" for all flags and examples.');
    throw error;
  }
}

const userOf = ({ runAs }: StdioOptions): User | null => (runAs === null ? null : findUser(runAs));

/**
 * Warns of credentials in the environment: no child inherits them, but one that runs as the gateway's user
 * can read them.
 */
function warnOfProofs({ runAs }: Options, log: Log): void {
  const names = proofsIn(process.env);
  if (names.length === 0 || runAs !== null) return;
  log(
    'warn',
    `${names.join(' and ')} in the gateway's environment can be read by every program that its user runs: unset such variables before you start the gateway`,
    { event: 'proofInEnvironment', names },
  );
}

/**
 * Handles an exception, or a rejection without a handler: Node would print it unmasked, and wait for the
 * reader of stderr. The process exits afterwards, because its state is unknown.
 */
function onDefect(report: (error: unknown) => never): void {
  process.removeAllListeners('uncaughtException').on('uncaughtException', report);
}

/** Opens the log, to which uncaught defects are written from then on. */
async function logFor({ log: chosen }: StdioOptions): Promise<Log> {
  const { defectLine } = await import('./ops/lines.ts');
  const { openLog } = await import('./ops/open-log.ts');
  const { openStderr } = await import('./ops/log-output.ts');
  const log = await openLog(chosen, openStderr());
  // Node would print its warnings unmasked.
  process.removeAllListeners('warning').on('warning', ({ name, message }) => {
    log('warn', `${name}: ${message}`, { event: 'warning', name, reason: message });
  });
  onDefect((error) => {
    log(...defectLine('the gateway', error));
    process.exit(1);
  });
  return log;
}

async function serve(asked: Options): Promise<void> {
  const samePort = takePort();
  const log = await logFor(asked);
  const { withKeeper } = await import('./cli/with-keeper.ts');
  // The keeper starts while the gateway loads.
  const [options, { createServer }] = await Promise.all([
    withKeeper(samePort === null ? asked : { ...asked, port: samePort }, log),
    import('./server.ts'),
  ]);
  const { withholdInherited } = await import('./host/inherited.ts');
  const { confine } = await import('./host/lineage.ts');
  const pageDir = join(root, 'dist', 'web');
  const server = createServer(
    {
      ...options,
      version: ownVersion(),
      pageDir,
      user: userOf(options),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
    },
    log,
  );
  withholdInherited();
  // The gateway is confined only after the keeper has started, because the keeper itself marks and confines its
  // processes.
  await server.open();
  confine();
  void server.displaced.then(async () => {
    log('warn', 'Another gateway with this state folder has taken over the processes; this gateway exits.', {
      event: 'displaced',
    });
    await server.leave();
    process.exit(0);
  });
  const addresses = await server.listen();
  warnOfProofs(options, log);
  stopOnSignals(() => server.close(), options.keeper !== 'off' ? replacing(server, addresses.port) : null);
  const link = addresses.pageUrl();
  // The banner on a terminal has the same information and more.
  if (!options.banner || !process.stdout.isTTY) process.stdout.write(`${addresses.url}\n${link}\n`);
  const isOtherPort = !options.portIsFixed && addresses.port !== DEFAULT_PORT;
  const note = isOtherPort
    ? `Port ${DEFAULT_PORT} is in use, so the gateway listens on port ${addresses.port}.`
    : null;
  if (!options.banner) {
    if (note) log('warn', note, { event: 'otherPort', port: addresses.port });
    return;
  }
  process.stderr.write(
    banner({
      pageUrl: link,
      agentUrl: await onceUnlocked(() => addresses.agentUrl()),
      command: commandOf(process.argv[1] ?? '', join(root, 'dist/server/main.js'), process.cwd()),
      stateDir: options.stateDir === stateDirOf(null, process.env) ? null : options.stateDir,
      note,
      colours: process.stderr.isTTY,
    }),
  );
}

/** Serves the protocol on stdio; nothing else is written to stdout. */
async function serveStdio(options: StdioOptions): Promise<void> {
  const log = await logFor(options);
  const { createStdioServer } = await import('./stdio-server.ts');
  const { withholdInherited } = await import('./host/inherited.ts');
  withholdInherited();
  const { stdin: input, stdout: output } = process;
  const server = createStdioServer(
    {
      ...options,
      version: ownVersion(),
      user: userOf(options),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      input,
      output,
    },
    log,
  );
  stopOnSignals(() => server.close());
  await server.ended;
  process.exit(0);
}

/** Time for which further signals count as the first one: npm forwards a Ctrl-C that the terminal sent, too. */
const SAME_SIGNAL_MS = 1000;

/**
 * The first signal starts an orderly shutdown, or a replacement of the gateway; another one after `SAME_SIGNAL_MS` ends
 * the process immediately.
 */
function stopOnSignals(close: () => Promise<void>, replace: Replace | null = null): void {
  let stoppingSinceMs: number | null = null;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', ...(replace ? (['SIGUSR2'] as const) : [])] as const;
  for (const signal of signals) {
    const end = replace?.signals.includes(signal) ? replace.by : close;
    process.on(signal, () => {
      if (stoppingSinceMs !== null) {
        if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
        return;
      }
      stoppingSinceMs = performance.now();
      end().then(
        () => process.exit(0),
        (error: unknown) => fail(1, `could not shut down cleanly: ${String(error)}`),
      );
    });
  }
}

// Write errors are ignored, so that processes keep running when the reader of the log disconnects.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
onDefect((error) =>
  fail(1, ...`defect: ${error instanceof Error ? error.stack : String(error)}`.split('\n')),
);

// Only the part that is needed is loaded: the gateway or the subcommands.
const [word, ...rest] = process.argv.slice(2);
if (word !== undefined && !word.startsWith('-')) {
  const { runCommand } = await import('./cli/commands.ts');
  process.exit(await runCommand(word, rest, process.env));
}
const asked = command();
switch (asked.kind) {
  case 'help': {
    const { gatewayHelp } = await import('./cli/commands.ts');
    process.stdout.write(gatewayHelp());
    break;
  }
  case 'version':
    process.stdout.write(`${ownVersion()}\n`);
    break;
  case 'serveStdio':
    await serveStdio(asked.options).catch((error: unknown) =>
      fail(1, error instanceof Error ? error.message : String(error)),
    );
    break;
  case 'serve':
    await serve(asked.options).catch((error: unknown) =>
      fail(1, error instanceof Error ? error.message : String(error)),
    );
}
