// Restores sessions of unified exec from an earlier gateway: their exec-server sessions are resumed, and starts that
// were waiting for approval are repeated.
import type { Identity } from '../policy/identity.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { INHERITED, forcedEnvironment } from './environment.ts';
import { start } from './effects.ts';
import type { RoomOptions } from './client.ts';
import type { Held } from './held.ts';
import type { Line } from './line.ts';
import type { Lines } from './lines.ts';
import { drainOf, heldOf, lineOf, startOf, type Notes, type PastDrain } from './notes.ts';
import type { Place } from './run.ts';
import type { Sessions } from './sessions.ts';

/** Number of events before the last returned one that are also searched for an unfinished control sequence. */
const EVENTS_BEFORE = 16;

interface PastRoom extends RoomOptions {
  readonly notes: Notes;
  readonly lines: Lines;
  readonly sessions: Sessions;
}

/**
 * Restores the sessions whose notes are valid and whose line still exists, and removes the notes of the others;
 * `identityOf` returns null for a token that is no longer valid.
 */
export function restoreSessions(room: PastRoom, identityOf: (tokenId: string) => Identity | null): void {
  const { notes, sessions } = room;
  const lines = new Map<string, Line>();
  for (const [label, value] of notes.all('line')) {
    const past = lineOf(value);
    const identity = past && identityOf(past.tokenId);
    const sessionId = identity && room.reissue(label);
    if (past && identity && sessionId) lines.set(label, room.lines.restore(identity, past, label, sessionId));
    else notes.remove('line', label);
  }
  for (const [name, value] of notes.all('held')) {
    const past = heldOf(value);
    const line = past && lines.get(past.label);
    const id = Number(name);
    if (past && line) {
      const { label: _, sinceMs, ...facts } = past;
      goOn(room, sessions.restore({ ...facts, id, line }, sinceMs), past.label);
    } else for (const kind of ['held', 'drain', 'start']) notes.remove(kind, name);
  }
}

function goOn(room: PastRoom, held: Held, label: string): void {
  const { notes } = room;
  const name = String(held.facts.id);
  const drain = drainOf(notes.all('drain').get(name));
  const again = room.started(label, `${name}-again`);
  const view = again ?? room.started(label, name);
  if (view) {
    held.goOn(view, placeIn(view, drain), drain, again !== undefined);
    notes.remove('start', name);
    return;
  }
  const params = startOf(notes.all('start').get(name));
  if (!params) {
    held.failures.push(
      'the gateway was restarted before the command started, or its output is no longer retained',
    );
    held.notStarted();
    return;
  }
  const { threadId = null, toolCallId = null } = (params.metadata ?? {}) as Record<string, string>;
  const env = forcedEnvironment(threadId, toolCallId);
  // The start waits for approval again, and a person decides on it in the console.
  held.resumes = () => start(held, { ...params, env, envPolicy: INHERITED }, room);
}

/** Returns the place in the log after which events are replayed. */
function placeIn({ log }: ProcessView, drain: PastDrain | null): Place {
  if (!drain) return { seq: 0, offset: 0, skip: 0, before: [] };
  let seq = Math.min(drain.seq, log.nextSeq - 1);
  while (seq > 0 && log.offsetAfter(seq) > drain.bytes) seq -= 1;
  const offset = seq === 0 ? 0 : log.offsetAfter(seq);
  const before: Buffer[] = [];
  for (let at = Math.max(log.firstSeq, seq - EVENTS_BEFORE); at <= seq; at += 1) {
    const event = log.at(at);
    if (event?.kind === 'output') before.push(event.bytes);
  }
  return { seq, offset, skip: Math.max(0, drain.bytes - offset), before };
}
