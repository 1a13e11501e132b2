// exec-console stop: ends a process and its descendants, and waits for their end.
import type { OsProcessName, ProcessInfo } from '../../protocol/console.ts';
import { visible } from '../../text/visible.ts';
import { retryAfterLoss, withGateway, type Gateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, findProcess } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { printNote } from './notes.ts';
import { printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

const DEFAULT_GRACE_S = 5;
const LONGEST_GRACE_S = 600;
/** Time to wait after SIGKILL before remaining processes are reported. */
const DYING_MS = 5000;
/** Time limit for the keeper to notify the gateway that the output is closed. */
const CLOSING_MS = 1000;

export const stop: Subcommand = {
  usage: 'stop [flags] KEY',
  summary: 'Terminate a process and everything that it started',
  help: `Sends SIGTERM to the process and everything that it started, SIGKILL to what is left after the grace period, and
waits until nothing is left. KEY is a key, the beginning of one, or a label.`,
  flags: {
    grace: {
      type: 'string',
      short: 'g',
      value: 'SECONDS',
      about: `Time from SIGTERM to SIGKILL, 0 to ${LONGEST_GRACE_S} (default: ${DEFAULT_GRACE_S}; 0 sends SIGKILL at once)`,
    },
    escaped: {
      type: 'boolean',
      about: 'Also terminate processes that left its OS session, as daemons do (default: only report them)',
    },
    json: {
      type: 'boolean',
      about:
        'Print {"key", "running", "exitCode", "signal", "survivors", "escaped", "outputHeld"}; running: whether there was anything to terminate; outputHeld: whether its output pipe is still open',
    },
  },
  examples: ['stop web', 'stop --grace 30 web', 'stop --escaped web'],
  exitCodes: [
    ['0', 'All processes have ended'],
    ['1', 'At least one process is still running, or may be'],
  ],
  completes: 'process',
  words: 1,
  async execute(args, env) {
    const graceMs = graceOf(args.text('grace'));
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const { client } = gateway;
      const { key } = findProcess(await allProcesses(gateway), args.words[0] ?? '');
      // Terminating again can only shorten the grace period, so a retry does no harm.
      const { running } = await retryAfterLoss(gateway, () =>
        client.connection.request('process/terminate', { key, graceMs, escaped: args.has('escaped') }),
      );
      const info = await ended(gateway, key, graceMs + DYING_MS);
      const { exitCode, signal, escaped, outputHeld } = info;
      const survivors = leftOf(info);
      if (args.has('json'))
        await printJson({ key, running, exitCode, signal, survivors, escaped, outputHeld });
      else if (!running) printNote('the process had already ended');
      const left = whatIsLeft(survivors, info);
      if (left !== null) printNote(left);
      return left === null ? ExitCode.ok : ExitCode.failed;
    });
  },
};

const OUTPUT_HELD =
  'the process has ended, but its output pipe is still open: a process that the gateway cannot detect may still be running and writing to it';

/** Returns a description of what is still running or open, or may be; null when nothing is left. */
function whatIsLeft(survivors: readonly OsProcessName[], info: ProcessInfo): string | null {
  if (survivors.length > 0) return `survived SIGKILL: ${named(survivors)}`;
  if (!isOver(info)) return 'the process has ended, but a process that it started may still be running';
  if (info.escaped.length === 0) return info.outputHeld ? OUTPUT_HELD : null;
  return `still running outside its OS session: ${named(info.escaped)}; terminate with: exec-console stop --escaped ${info.key}`;
}

const named = (processes: readonly OsProcessName[]): string =>
  processes.map(({ pid, name }) => `${visible(name)} (${pid})`).join(', ');

/** Returns the grace period in ms for a text in seconds; null: the default. Throws UsageError. */
function graceOf(text: string | null): number {
  const seconds = text === null ? DEFAULT_GRACE_S : Number(text);
  if (text?.trim() === '' || !(seconds >= 0 && seconds <= LONGEST_GRACE_S)) {
    throw new UsageError(`--grace ${text}: expected a number of seconds from 0 to ${LONGEST_GRACE_S}`);
  }
  return Math.round(seconds * 1000);
}

type Left = Pick<ProcessInfo, 'survivors' | 'pid' | 'argv' | 'exitedAtMs' | 'state' | 'stillRunning'>;

/** Returns true when the process has exited, or is lost and not known to be running. */
export const isGone = ({ exitedAtMs, state, stillRunning }: Left): boolean =>
  exitedAtMs !== null || (state === 'lost' && !stillRunning);

const isOver = (info: ProcessInfo): boolean => isGone(info) && info.terminatingSinceMs === null;

/** Returns the remaining processes: the survivors, or the process itself if it has not exited. */
export function leftOf(info: Left): readonly OsProcessName[] {
  const { survivors, pid, argv } = info;
  return survivors.length > 0 || isGone(info) ? survivors : [{ pid, name: argv[0] ?? '' }];
}

/**
 * Resolves with the process when it and its termination have ended, or after `waitMs`. If then only its output pipe is
 * open, waits up to CLOSING_MS longer for the pipe to close.
 */
async function ended(gateway: Gateway, key: string, waitMs: number): Promise<ProcessInfo> {
  const info = await when(isOver, gateway, key, waitMs);
  const mayClose = isOver(info) && info.outputHeld && info.escaped.length === 0;
  return mayClose ? when(({ outputHeld }) => !outputHeld, gateway, key, CLOSING_MS) : info;
}

/** Resolves with the process when it meets the condition, or after `waitMs`. */
async function when(
  isSo: (info: ProcessInfo) => boolean,
  gateway: Gateway,
  key: string,
  waitMs: number,
): Promise<ProcessInfo> {
  const deadline = AbortSignal.timeout(waitMs);
  for (;;) {
    const changed = nextChange(gateway, key, deadline);
    const info = findProcess(await allProcesses(gateway), key);
    if (isSo(info) || deadline.aborted) return info;
    await changed;
  }
}

function nextChange({ client }: Gateway, key: string, deadline: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      off();
      offState();
      deadline.removeEventListener('abort', done);
      resolve();
    };
    const off = client.processes.onChanged(({ processes = [] }) => {
      if (processes.some((process) => process.key === key)) done();
    });
    // No change is reported while disconnected, so the state is requested again, which waits for the connection.
    const offState = client.connection.onState(done);
    deadline.addEventListener('abort', done);
  });
}
