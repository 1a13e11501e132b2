// Adoption: takes over the processes and sessions that earlier gateways with this state folder left running.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Child, ChildEvents, ChildSpec } from '../host/child.ts';
import { sandboxDenied } from '../host/sandbox/denied.ts';
import type { Console } from '../console/console.ts';
import { ProcessJournal, type PastProcess, type ProcessFacts } from '../journal/process-journal.ts';
import { NONE_EARLIER } from '../journal/seq-index.ts';
import type { HeldChild } from '../keeper/link/held-child.ts';
import { Process } from '../keeper/process.ts';
import type { Hold } from '../keeper/process-view.ts';
import type { ProcessLimits } from '../keeper/process-limits.ts';
import type { ShownSpec } from '../keeper/shown-command.ts';
import type { Held } from '../keeper/wire/messages.ts';
import { processFolder, runFolder } from '../keeper/wire/place.ts';
import type { Log } from '../ops/log.ts';
import type { Tokens } from '../policy/tokens.ts';
import { commandLine } from '../../text/command-line.ts';
import { visible } from '../../text/visible.ts';
import { goneChild } from './gone-child.ts';
import type { KeeperHome } from './keeper-home.ts';
import { exitOnDisk, logOnDisk, pastSteps, replayParts } from './past-steps.ts';
import { cutTo } from '../../text/cut.ts';

/** Maximum number of running commands named in the log line. */
const MOST_NAMED = 5;
const COMMAND_CHARS = 60;

/** Maximum bytes of output, up to the last noted event, that a killed gateway might not have sent to the owner. */
const OWED_BYTES = 8 * 1024 * 1024;

interface Adopted {
  readonly running: readonly Process[];
  readonly finished: number;
  readonly lost: number;
}

/** Takes over all processes, logs their number if there are any, and ends the sessions of invalid tokens. */
export async function takeOver(
  home: KeeperHome,
  console: Console,
  limits: ProcessLimits,
  tokens: Pick<Tokens, 'list' | 'foreign'> | null,
  log: Log,
): Promise<void> {
  const good = new Set([...(tokens?.list() ?? []), ...(tokens?.foreign() ?? [])].map(({ id }) => id));
  const { running, finished, lost } = await adopt(home, console, limits, (id) => good.has(id));
  const counts = { running: running.length, finished, lost };
  if (counts.running + finished + lost === 0) return;
  const sentence = `took over processes: ${counts.running} running, ${finished} finished${lost > 0 ? `, ${lost} lost` : ''}`;
  const named = running.slice(0, MOST_NAMED).map(shownOf);
  const more = counts.running > MOST_NAMED ? ` and ${counts.running - MOST_NAMED} more` : '';
  const still = named.length === 0 ? '' : `; still running: ${named.join(', ')}${more}`;
  // Running and lost processes may need action by the operator; finished ones need none.
  log(counts.running + lost > 0 ? 'warn' : 'info', sentence + still, { event: 'adopted', ...counts });
}

/** Describes a process on one short line, such as `npm test (PID 42)`. */
function shownOf({ spec, pid }: Process): string {
  return `${cutTo(visible(commandLine(spec.argv)), COMMAND_CHARS)} (PID ${pid})`;
}

/** Adopts processes and sessions. `isGood`: returns false for a revoked or expired token, whose sessions then end. */
async function adopt(
  home: KeeperHome,
  console: Console,
  limits: ProcessLimits,
  isGood: (tokenId: string) => boolean,
): Promise<Adopted> {
  const held = new Map(home.link.welcome.processes.map((each) => [each.key, each]));
  const past = home.sessions.read();
  const sessions = new Map(past.map((each) => [each.label, [each, console.sessions.restore(each)] as const]));
  const running: Process[] = [];
  let [finished, lost] = [0, 0];
  for (const found of pastProcesses(home, held)) {
    // Replaying a log of many megabytes takes time, so other events are handled between two processes.
    await nextTurn();
    const { session: label, isConsole } = found.facts.description;
    const [session, now] = sessions.get(label) ?? [];
    const isOwed = !isConsole && session?.isAttached === true;
    const there = held.get(found.facts.key) ?? null;
    const { process, child, owed } = await adopted(home, console, limits, {
      past: found,
      held: there,
      isOwed,
    });
    // The keeper sends the rest of the output, and the end, only when the process is followed.
    const isClosed = process.isClosed || (there !== null && there.exit !== null && there.hasEnded);
    if (process.description.isConsole) console.sessions.console.adopt(process, false, false);
    else if (session && now) now.adopt(process, found.facts.endsWithConnection, session.isAttached);
    else if (!isClosed && !console.pins.has(process.key))
      // The session has ended, so its processes must end as well.
      void process.killNow('gateway', 'sessionExpired');
    owed?.close();
    if (process.isLost) lost += 1;
    else if (isClosed) finished += 1;
    else running.push(process);
    child?.followFrom(process.log.totalBytes);
  }
  for (const [session, now] of sessions.values())
    if (!isGood(session.owner.tokenId)) console.sessions.end(now);
  return { running, finished, lost };
}

/**
 * Returns past processes, oldest first. Removes the folders of those that are not in the keeper and have no facts
 * or never started.
 */
function pastProcesses(home: KeeperHome, held: ReadonlyMap<string, Held>): PastProcess[] {
  const folder = runFolder(home.stateDir);
  const found = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const keys = found.filter((each) => each.isDirectory()).map(({ name }) => name);
  return [...new Set([...keys, ...held.keys()])]
    .flatMap((name) => {
      const path = processFolder(home.stateDir, name);
      const past = ProcessJournal.reopen(path, home.journalFailed);
      const there = held.get(name);
      if (past && (past.pid !== null || there)) return past;
      if (there) return withoutNotes(home, there);
      past?.journal.close();
      rmSync(path, { recursive: true, force: true });
      return [];
    })
    .toSorted((one, other) => one.facts.startedAtMs - other.facts.startedAtMs);
}

/** Returns a process whose notes are missing; its command is unknown, and it belongs to the console. */
function withoutNotes(home: KeeperHome, { key, child, startedAtMs }: Held): PastProcess {
  const facts: ProcessFacts = {
    key,
    description: {
      processId: key,
      session: 'console',
      isConsole: true,
      startedBy: 'an earlier gateway',
      starter: { tokenId: '', role: 'admin' },
      metadata: {},
      label: null,
      restartOf: null,
    },
    spec: {
      argv: [`PID ${child.pid}`],
      cwd: '/',
      tty: child.tty ? { rows: 24, cols: 80 } : null,
      pipeStdin: child.writable,
      sandbox: null,
    },
    startedAtMs,
    endsWithConnection: false,
  };
  const journal = ProcessJournal.begin(processFolder(home.stateDir, key), facts, home.journalFailed);
  const notes = { acts: null, typed: [] };
  return {
    facts,
    pid: child.pid,
    startedAt: child.lineage.startedAt,
    earlier: NONE_EARLIER,
    entries: [],
    writes: [],
    notes,
    pinnedBy: null,
    owedFrom: null,
    journal,
  };
}

async function adopted(
  home: KeeperHome,
  console: Console,
  limits: ProcessLimits,
  { past, held, isOwed }: { past: PastProcess; held: Held | null; isOwed: boolean },
): Promise<{ readonly process: Process; readonly child: HeldChild | null; readonly owed: Hold | null }> {
  const { facts, pid, startedAt, earlier, entries, writes, journal, notes, pinnedBy } = past;
  const owedFrom = isOwed ? firstOwed(past) : null;
  const { key, spec, startedAtMs, description } = facts;
  const child = held ? home.link.adopt(held) : null;
  let events!: ChildEvents;
  const reached: Child = child ?? goneChild(pid, startedAt, spec.tty !== null);
  const process = new Process(description, specOf(spec), limits, {
    key,
    startedAtMs,
    // Past events must be replayed before new ones, so the handlers of the child's events are only stored here.
    begin: (given) => {
      events = given;
      return reached;
    },
    journal: journal.seqs,
    notes: journal,
  });
  if (earlier.events > 0) process.log.beginAt(earlier.events + 1, earlier.bytes);
  const folder = processFolder(home.stateDir, key);
  const hasExited = entries.some(({ kind }) => kind === 'exited');
  const exit = held ? held.exit : hasExited ? exitOnDisk(folder) : null;
  const known = { earlier, entries, exit, isHeld: held !== null };
  const disk = logOnDisk(folder);
  const steps = pastSteps(known, disk);
  const owed = owedFrom === null ? null : process.hold(owedFrom, Number.POSITIVE_INFINITY);
  await console.adopt(process, async (recorded) => {
    const { terminating = null, exitedAtMs = null, ranOutAtMs = null, size = null } = held ?? {};
    const restore = (): void => process.restore({ ...notes, terminating, exitedAtMs, ranOutAtMs, size });
    // Acts are restored before the replay of a process without a keeper, whose exit is attributed to one of them.
    if (!held) restore();
    for (const part of replayParts(steps)) {
      process.replay(part);
      await recorded();
    }
    if (held) restore();
  });
  if (pinnedBy !== null) console.pins.restore(key, pinnedBy);
  if (!held || !child) {
    home.keepNotes(key, journal);
    if (!process.isClosed) events.onLost?.();
    return { process, child: null, owed };
  }
  for (const { session, writeId, seq } of writes) {
    if (seq > held.applied) continue;
    const isClosed = held.closedFrom !== null && seq >= held.closedFrom;
    process.rememberWrite({ session, writeId }, isClosed ? 'closed' : 'accepted');
  }
  journal.noteQueuedUpTo(held.applied);
  home.keep({ child, description, isOwned: isOwed, isPinned: pinnedBy !== null }, journal);
  if (owedFrom !== null) {
    const before = entries[owedFrom - earlier.events - 2];
    home.owe(key, owedFrom, before?.endOffset ?? earlier.bytes);
  }
  child.begin(events);
  return { process, child, owed };
}

/**
 * Returns the seq of the first event that the owner may not have received. An owner that has not resumed since
 * an earlier gateway may also lack older events.
 */
function firstOwed({ earlier, entries, owedFrom }: PastProcess): number {
  const end = entries.at(-1)?.endOffset ?? 0;
  const sent = earlier.events + entries.findIndex(({ endOffset }) => endOffset > end - OWED_BYTES) + 1;
  return Math.min(sent, owedFrom ?? sent);
}

/** Returns the specification with an empty environment; only the running process has the real one. */
const specOf = ({ argv, cwd, tty, pipeStdin, sandbox }: ShownSpec): ChildSpec => ({
  argv,
  arg0: null,
  cwd,
  env: {},
  tty,
  pipeStdin,
  sandbox: sandbox && {
    ...sandbox,
    enter: () => {
      throw new Error('misuse: a running process cannot enter its sandbox again');
    },
    wasDenied: sandboxDenied,
  },
  user: null,
});
