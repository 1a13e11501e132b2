// exec-console replay: prints a recording at its original pace, or faster or slower, with long pauses shortened.
import { setTimeout } from 'node:timers/promises';
import { withGateway } from './connect.ts';
import { ExitCode, SIGNAL_CODES } from './exit-codes.ts';
import { onEndingSignal } from './ending-signals.ts';
import { gatewayAddress } from './gateway-address.ts';
import { LocalTerminal } from './local-terminal.ts';
import { readLog } from './log-reader.ts';
import { printNote } from './notes.ts';
import { printTo } from './print.ts';
import { findRecorded } from './recorded.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';
import { missingHereText } from '../../text/missing-output.ts';

const USUAL_IDLE_SECONDS = 2;

export const replay: Subcommand = {
  usage: 'replay [flags] KEY',
  summary: 'Play back a recording, at its original speed by default',
  help: `Prints the output of a process with its original pauses, divided by --speed, then each shortened to at most --max-idle.
If stdout is a terminal, only text, colours and cursor movements are printed, and its size is not changed. KEY is a key, the beginning
of one, or a label.`,
  flags: {
    speed: { type: 'string', value: 'N', about: 'Speed factor, such as 0.5 or 10 (default: 1)' },
    'max-idle': {
      type: 'string',
      value: 'SECONDS',
      about: `Longest pause; longer ones are shortened to this, at every speed (default: ${USUAL_IDLE_SECONDS})`,
    },
  },
  examples: ['replay web', 'replay --speed 4 --max-idle 0.5 web'],
  exitCodes: [['141', 'The reader of stdout has closed it (broken pipe)']],
  completes: 'recorded',
  words: 1,
  execute: (args, env) => {
    const speed = positive('--speed', args.text('speed') ?? '1');
    const maxIdleMs = positive('--max-idle', args.text('max-idle') ?? String(USUAL_IDLE_SECONDS)) * 1000;
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const { key } = await findRecorded(gateway, args.words[0] ?? '');
      const terminal = new LocalTerminal();
      const stopped = new AbortController();
      let code: number = ExitCode.ok;
      const stop = onEndingSignal((signal) => {
        code = SIGNAL_CODES[signal];
        stopped.abort();
      });
      try {
        let lastMs: number | null = null;
        for await (const line of readLog(gateway, { key, follows: false })) {
          if (line.event === 'gap') printNote(missingHereText(line.bytes));
          if (line.event !== 'output') continue;
          const atMs: number = line.atMs ?? lastMs ?? 0;
          const waitMs = pauseMs(atMs - (lastMs ?? atMs), { speed, maxIdleMs });
          lastMs = atMs;
          if (waitMs >= 1) await setTimeout(waitMs, null, { signal: stopped.signal });
          stopped.signal.throwIfAborted();
          const stream = line.stream === 'stderr' ? 'stderr' : 'stdout';
          const bytes = terminal.shown(Buffer.from(line.chunk, 'base64'), stream, 'watching');
          if (!(await printTo(process[stream], bytes)) && stream === 'stdout') return ExitCode.brokenPipe;
        }
      } catch (error) {
        if (!stopped.signal.aborted) throw error;
      } finally {
        stop();
        terminal.restore();
      }
      return code;
    });
  },
};

/**
 * Returns the time to wait between two outputs; `apartMs`: the original time between them, negative when the clock was
 * set back.
 */
export const pauseMs = (
  apartMs: number,
  { speed, maxIdleMs }: { readonly speed: number; readonly maxIdleMs: number },
): number => Math.min(Math.max(0, apartMs) / speed, maxIdleMs);

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new UsageError(`${flag} ${text}: expected a number above 0`);
  return value;
}
