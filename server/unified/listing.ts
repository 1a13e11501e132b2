// Lists an agent's sessions, and returns their output again.
import { durationText } from '../../text/amounts.ts';
import { drawnLines } from '../../text/plain-text.ts';
import { visible } from '../../text/visible.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import type { LogView } from '../keeper/process-view.ts';
import type { Answer } from './answer.ts';
import type { ReadArguments } from './calls.ts';
import { cut, tokensOf } from './cut.ts';
import type { Held } from './held.ts';
import { cutTo } from '../../text/cut.ts';

const COMMAND_CHARS = 200;
const NEWLINE = 0x0a;

/** Reasons why a session makes no progress by itself. */
export interface Waits {
  readonly forApproval: boolean;
  readonly forInput: boolean;
}

export function sessionList(sessions: readonly Held[], waitsOf: (held: Held) => Waits): Answer {
  const lines = sessions.map((held) => {
    const { id, tty, cwd, cmd } = held.facts;
    const command = visible(cutTo(cmd, COMMAND_CHARS));
    return [id, stateOf(held, waitsOf(held)), tty ? 'tty' : 'no tty', visible(cwd), command].join('  ');
  });
  return { text: lines.length === 0 ? 'There are no sessions.' : lines.join('\n'), isError: false };
}

function stateOf(held: Held, { forApproval, forInput }: Waits): string {
  const code = held.exitCode ?? held.view?.exit?.code;
  if (code !== undefined) return `exited ${code}`;
  if (!held.isDecided) return forApproval ? 'waiting for approval' : 'starting';
  if (held.hasNotStarted) return 'not started';
  if (held.reportedAtMs !== null) return 'terminating';
  if (forInput) return 'waiting for input';
  return `running ${durationText(Date.now() - held.sinceMs)}`;
}

/** Returns the requested part of the retained output, even if earlier answers have returned it. */
export function outputAgain(held: Held, asked: ReadArguments): Answer {
  const { tty } = held.facts;
  const { log } = held.view ?? {};
  const retained = log && retainedOutput(log);
  const all = retained ?? { from: 0, bytes: Buffer.alloc(0) };
  const to = all.from + all.bytes.length;
  const after = Math.min(Math.max(asked.afterBytes ?? 0, all.from), to);
  const from = after + startOfLast(asked.lastLines, all.bytes.subarray(after - all.from));
  const raw = all.bytes.subarray(from - all.from).toString();
  const text = tty ? drawnLines(raw) : raw;
  const tokens = tokensOf(Buffer.byteLength(raw));
  const lines = [
    progressOf(held),
    `Original token count: ${tokens}`,
    `Bytes: ${from} to ${to}`,
    ...(all.from > 0 ? [`Bytes before ${all.from} are no longer retained`] : []),
    ...(held.key !== null && !retained ? ['The output is no longer retained'] : []),
    'Output:',
    cut(text, asked.mostTokens, { tokens, omitted: 0 }),
  ];
  return { text: lines.join('\n'), isError: false, meta: { next_byte: to } };
}

function progressOf({ facts: { id }, exitCode, key }: Held): string {
  if (exitCode !== null) return `Process exited with code ${exitCode}`;
  return key === null ? `Process not started, session ID ${id}` : `Process running with session ID ${id}`;
}

function retainedOutput(log: LogView): { readonly from: number; readonly bytes: Buffer } {
  log.seal();
  const events: OutputEvent[] = [];
  for (let seq = log.firstSeq; seq < log.nextSeq; seq += 1) {
    const event = log.at(seq);
    if (event?.kind === 'output') events.push(event);
  }
  return {
    from: events[0]?.offset ?? log.totalBytes,
    bytes: Buffer.concat(events.map(({ bytes }) => bytes)),
  };
}

/**
 * Returns the offset at which the last `count` lines begin, counting an unfinished last line; 0 when `count` is null.
 */
function startOfLast(count: number | null, bytes: Buffer): number {
  if (count === null) return 0;
  if (count === 0) return bytes.length;
  let seen = 0;
  // The search leaves out the newline that ends the last line.
  for (let at = bytes.length - 2; at >= 0; at -= 1) {
    if (bytes[at] === NEWLINE) seen += 1;
    if (seen === count) return at + 1;
  }
  return 0;
}
