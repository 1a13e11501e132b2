// exec-console logs: prints the recorded output of a process, and its new output with --follow.
import { maskSpans } from '../../text/masking.ts';
import { missingHereText } from '../../text/missing-output.ts';
import { SecretStreams } from '../../text/secret-streams.ts';
import { withGateway, type Gateway } from './connect.ts';
import { onEndingSignal } from './ending-signals.ts';
import { ExitCode, SIGNAL_CODES } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { LocalTerminal } from './local-terminal.ts';
import { readLog, type LogLine } from './log-reader.ts';
import { printNote } from './notes.ts';
import { printJson, printTo } from './print.ts';
import { findRecorded } from './recorded.ts';
import type { Subcommand } from './subcommand.ts';

export const logs: Subcommand = {
  usage: 'logs [flags] KEY',
  summary: 'Print the output of a process',
  help: `Prints all recorded output of the process, byte for byte: stdout and terminal output to stdout, stderr to stderr.
KEY may also name a process of an earlier gateway. Missing output is reported on stderr. If stdout is a terminal,
only text, colours and cursor movements are printed. KEY is a key, the beginning of one, or a label.`,
  flags: {
    follow: { type: 'boolean', short: 'f', about: 'Continue with new output until the process has ended' },
    json: {
      type: 'boolean',
      about: 'Print one line of JSON per event: output (chunk is base64), gap, resized, exited, closed',
    },
    redact: { type: 'boolean', about: 'Replace each byte of known secrets with *' },
  },
  examples: ['logs web', 'logs --follow web | grep -i error', 'logs --redact web > web.log'],
  exitCodes: [['141', 'The reader of stdout has closed it (broken pipe)']],
  completes: 'recorded',
  words: 1,
  execute: (args, env) =>
    withGateway(gatewayAddress(args, env), async (gateway) => {
      const info = await findRecorded(gateway, args.words[0] ?? '');
      const { key } = info;
      return printLog(gateway, {
        key,
        follows: args.has('follow') && info.state !== 'lost',
        isJson: args.has('json'),
        isRedacted: args.has('redact'),
      });
    }),
};

interface Wanted {
  readonly key: string;
  readonly follows: boolean;
  readonly isJson: boolean;
  readonly isRedacted: boolean;
}

/** Resolves with the exit code when everything has been printed, stdout is closed, or a signal arrives. */
async function printLog(gateway: Gateway, { key, follows, isJson, isRedacted }: Wanted): Promise<number> {
  const terminal = new LocalTerminal();
  const shown = isRedacted ? withoutSecrets() : (line: LogLine): LogLine => line;
  const printAll = async (): Promise<number> => {
    for await (const line of readLog(gateway, { key, follows })) {
      const isRead = await (isJson ? printJson(shown(line)) : printRaw(shown(line), terminal));
      if (!isRead) return ExitCode.brokenPipe;
    }
    return ExitCode.ok;
  };
  const ending = endingSignal();
  try {
    return await Promise.race([printAll(), ending.code]);
  } finally {
    ending.stop();
    terminal.restore();
  }
}

/** Returns a function that masks secrets in output events; call it with every event of the log in order. */
function withoutSecrets(): (line: LogLine) => LogLine {
  const secrets = new SecretStreams();
  return (line) => {
    if (line.event === 'gap') secrets.cut();
    if (line.event !== 'output') return line;
    const text = Buffer.from(line.chunk, 'base64').toString('latin1');
    const shown = maskSpans(text, secrets.next(line.stream, line.seq, text));
    return { ...line, chunk: Buffer.from(shown, 'latin1').toString('base64') };
  };
}

/** Prints the bytes of an output event, or a note for a gap; resolves with false when stdout is closed. */
async function printRaw(line: LogLine, terminal: LocalTerminal): Promise<boolean> {
  if (line.event === 'gap') printNote(missingHereText(line.bytes));
  if (line.event !== 'output') return true;
  const bytes = Buffer.from(line.chunk, 'base64');
  const stream = line.stream === 'stderr' ? 'stderr' : 'stdout';
  const isWritten = await printTo(process[stream], terminal.shown(bytes, stream, 'watching'));
  return isWritten || stream === 'stderr';
}

/** Catches the signals that would end this command, since the terminal must be restored first. */
function endingSignal(): { readonly code: Promise<number>; readonly stop: () => void } {
  let stop = (): void => undefined;
  const code = new Promise<number>((resolve) => {
    stop = onEndingSignal((signal) => resolve(SIGNAL_CODES[signal]));
  });
  return { code, stop };
}
