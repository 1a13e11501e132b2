// Creates the text of a call's answer: the lines of Codex's own tool, and additional lines before `Output:`.
import { randomBytes } from 'node:crypto';
import { drawnLines } from '../../text/plain-text.ts';
import { visible } from '../../text/visible.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { cut, tokensOf } from './cut.ts';
import type { Held } from './held.ts';

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  /** Values of the answer for programs; the endpoint adds a prefix to their names. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Called once the answer has been sent to the client; absent when nothing depends on that. */
  readonly given?: () => void;
}

export interface Circumstances {
  /** Time for which this call has waited, excluding approvals. */
  readonly wallMs: number;
  readonly mostTokens: number;
  /** Additional lines, for example about sessions that this call ended. */
  readonly lines?: readonly string[];
  /** True while the start of the process, or input to it, is waiting for approval. */
  readonly waitsForApproval: boolean;
  readonly waitsForInput: boolean;
  /** False when the output is left for the next answer. */
  readonly takesOutput: boolean;
  /** Name of the agent's token; the answer does not name the agent itself as the one that ended the process. */
  readonly agent: string;
}

const NOTHING = { bytes: Buffer.alloc(0), total: 0, omitted: 0 };

export function answerOf(held: Held, around: Circumstances): Answer {
  const { id, tty } = held.facts;
  const { bytes, total, omitted } = around.takesOutput ? held.collected.drain(!held.hasExited) : NOTHING;
  const raw = bytes.toString();
  const text = tty ? drawnLines(held.sequence.opening + raw) : raw;
  if (tty) held.sequence.take(bytes);
  const tokens = tokensOf(total);
  const chunk = randomBytes(3).toString('hex');
  const seconds = (Math.max(0, around.wallMs) / 1000).toFixed(4);
  const lines = [
    `Chunk ID: ${chunk}`,
    `Wall time: ${seconds} seconds`,
    ...stateLines(held, around),
    `Original token count: ${tokens}`,
    ...(around.lines ?? []),
    ...held.notes.splice(0),
    ...peopleLines(held, around.agent),
    'Output:',
    cut(text, around.mostTokens, { tokens, omitted }),
  ];
  const meta = {
    chunk_id: chunk,
    wall_time_seconds: Number(seconds),
    ...(held.hasExited ? { exit_code: held.exitCode } : { session_id: id }),
    original_token_count: tokens,
    ...(held.key !== null && { key: held.key }),
    ...(text !== raw && { raw: cut(raw, around.mostTokens, { tokens, omitted }) }),
  };
  return { text: lines.join('\n'), isError: false, meta };
}

function stateLines(held: Held, { waitsForApproval, waitsForInput }: Circumstances): string[] {
  const { id } = held.facts;
  if (held.hasExited) return [`Process exited with code ${held.exitCode}`];
  const approval = `Waiting for approval with session ID ${id}`;
  if (!held.isDecided && waitsForApproval) return [approval];
  return [
    `Process running with session ID ${id}`,
    ...(waitsForApproval ? [approval] : []),
    ...(waitsForInput ? ['Waiting for input'] : []),
  ];
}

/** Returns lines about input that others typed since the last answer, and about who ended the process. */
function peopleLines(held: Held, agent: string): string[] {
  const { view } = held;
  if (!view) return [];
  const typed = [...linesOfPeople(held, view)].flatMap(([who, lines]) => {
    const news = lines - (held.reportedLines.get(who) ?? 0);
    held.reportedLines.set(who, lines);
    return news > 0 ? [`Typed by ${visible(who)}: ${news} ${news === 1 ? 'line' : 'lines'}`] : [];
  });
  const by = held.hasExited ? view.endedBy?.who : undefined;
  const who = by === 'gateway' ? 'the gateway' : by;
  return [...typed, ...(who === undefined || who === agent ? [] : [`Ended by ${visible(who)}`])];
}

function linesOfPeople({ facts }: Held, { typed }: ProcessView): Map<string, number> {
  const all = new Map<string, number>();
  for (const { session, who, lines } of typed)
    if (session !== facts.line.label) all.set(who, (all.get(who) ?? 0) + lines);
  return all;
}
