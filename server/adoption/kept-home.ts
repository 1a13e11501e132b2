// Processes that outlive the gateway: they run in the keeper of its state folder, and are noted for the next gateway.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildSpec } from '../host/child.ts';
import { randomId } from '../host/random-id.ts';
import { ProcessJournal } from '../journal/process-journal.ts';
import { NamedNotes } from '../journal/named-notes.ts';
import { SessionJournal } from '../journal/session-journal.ts';
import type { HeldChild } from '../keeper/link/held-child.ts';
import { KeeperLink } from '../keeper/link/keeper-link.ts';
import { NotKept } from '../keeper/link/not-kept.ts';
import type { Begun } from '../keeper/begun.ts';
import type { HomeStart, ProcessHome } from '../keeper/process-home.ts';
import type { ProcessDescription } from '../keeper/process-view.ts';
import { shownSpec } from '../keeper/shown-command.ts';
import type { Owned, Spawn } from '../keeper/wire/messages.ts';
import { processFolder, runFolder } from '../keeper/wire/place.ts';

type StdinLimits = Spawn['stdin'];

export interface KeptLimits extends StdinLimits {
  readonly shownCommandChars: number;
  readonly sessionTtlMs: number;
  readonly keptAgentMs: number;
  readonly keptMs: number;
}

export interface KeptEvents {
  /** Called when another gateway has taken over the keeper; this one must end, and leave all processes to it. */
  readonly displaced: () => void;
  /** Called with the description of a problem, and with null when the problem is over. */
  readonly trouble: (reason: string | null) => void;
  /** Reason, for people, why the keeper does not run this gateway's keeper program; null when it does. */
  readonly notUpgraded: (reason: string | null) => void;
  /** Reason, for people, why processes that are started now end with the gateway; null when they do not. */
  readonly notKept: (reason: string | null) => void;
}

/** Outcome of a start while the disk of the state folder accepts nothing. */
export type WithoutDisk = 'refused' | 'started in the gateway';

/** A process that is held by the keeper. */
export interface Kept {
  readonly child: HeldChild;
  readonly description: Pick<ProcessDescription, 'isConsole' | 'starter'>;
  /** True while its owner is attached, or may reattach and read all of its output. */
  isOwned: boolean;
  /** True while a person has pinned it, so that it outlives its session. */
  isPinned: boolean;
  /** Offset from which an owner that has not resumed yet may have missed output; absent when there is none. */
  owedFrom?: number;
}

const silent = { onOutput() {}, onResized() {}, onExit() {}, onEnd() {} };

export class KeptHome implements ProcessHome {
  readonly stateDir: string;
  readonly sessions: SessionJournal;
  /** Notes about the clients of unified exec and MCP. */
  readonly agents: NamedNotes;
  readonly #limits: KeptLimits;
  readonly #events: KeptEvents;
  readonly #kept = new Map<string, Kept>();
  readonly #journals = new Map<string, ProcessJournal>();
  #link: KeeperLink | null = null;
  #opening: Promise<KeeperLink> | null = null;
  #isOver = false;
  /** Number of journals that currently cannot be written. */
  #unnoted = 0;
  /** True from the death of a keeper until a new one is running. */
  #wasLost = false;
  readonly #withoutDisk: WithoutDisk;
  /** True while starts are not kept, for lack of disk space. */
  #isBeside = false;

  constructor(stateDir: string, limits: KeptLimits, events: KeptEvents, withoutDisk: WithoutDisk) {
    this.stateDir = stateDir;
    this.#withoutDisk = withoutDisk;
    this.#limits = limits;
    this.#events = events;
    mkdirSync(runFolder(stateDir), { recursive: true, mode: 0o700 });
    this.sessions = new SessionJournal(runFolder(stateDir), this.journalFailed);
    this.agents = new NamedNotes(join(runFolder(stateDir), 'agents.jsonl'), this.journalFailed);
  }

  /**
   * Called with an error when notes for the next gateway cannot be written, and with null when they can be
   * written again.
   */
  readonly journalFailed = (error: Error | null): void => {
    this.#unnoted += error ? 1 : -1;
    if (error)
      this.#events.trouble(
        `The state for the next gateway cannot be written to the state folder: ${error.message}`,
      );
    else if (this.#unnoted === 0) this.#events.trouble(null);
  };

  /** Finds or starts the keeper; must be called first. Rejects with a reason for people. */
  async open(): Promise<void> {
    await this.#opened();
  }

  get link(): KeeperLink {
    if (!this.#link) throw new Error('invariant violation: the keeper has not been opened');
    return this.#link;
  }

  async start(asked: HomeStart): Promise<Begun | null> {
    try {
      const started = await this.#start(asked);
      if (this.#isBeside) this.#events.notKept(null);
      this.#isBeside = false;
      return started;
    } catch (error) {
      if (!(error instanceof NotKept) || this.#withoutDisk === 'refused') throw error;
      this.#isBeside = true;
      this.#events.notKept(
        `Processes that are started now run in the gateway and end with it. Reason: ${error.message}`,
      );
      return null;
    }
  }

  async #start({ description, spec, endsWithConnection }: HomeStart): Promise<Begun> {
    const key = randomId(12);
    const folder = processFolder(this.stateDir, key);
    const startedAtMs = Date.now();
    const shown = shownSpec(spec, this.#limits.shownCommandChars);
    const facts = { key, description: noted(description), spec: shown, startedAtMs, endsWithConnection };
    const journal = this.#begun(folder, facts);
    try {
      const link = await this.#opened();
      const isOwned = !description.isConsole && !endsWithConnection;
      const kept = { description, isOwned, isPinned: false };
      const spawning = link.spawn(key, spec, this.#stdin, this.#owned(kept));
      // The keeper starts the process meanwhile.
      setImmediate(() => journal.seqs.prepare());
      const child = await spawning;
      journal.noteStarted(child);
      this.keep({ ...kept, child }, journal);
      const begin: Begun['begin'] = (events) => begun(child, events);
      return { key, startedAtMs, begin, journal: journal.seqs, notes: journal };
    } catch (error) {
      journal.close();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async tryStart(spec: ChildSpec): Promise<void> {
    const key = randomId(12);
    const link = await this.#opened();
    const child = await link.spawn(key, spec, this.#stdin, { lingerMs: 0, isOwned: false });
    child.begin({ ...silent, onEnd: () => link.forget(child) });
    child.closeStdin();
  }

  setOwned(key: string, isOwned: boolean): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    kept.isOwned = isOwned;
    if (kept.owedFrom !== undefined) {
      delete kept.owedFrom;
      this.#journals.get(key)?.noteOwed(null);
    }
    kept.child.setOwned(this.#owned(kept));
  }

  /**
   * Retains the output of a process until its owner has resumed: from event `seq` on, which begins at `offset`. A later
   * gateway retains it, too.
   */
  owe(key: string, seq: number, offset: number): void {
    this.#journals.get(key)?.noteOwed(seq);
    const kept = this.#kept.get(key);
    if (!kept) return;
    kept.owedFrom = offset;
    kept.child.setOwned(this.#owned(kept));
  }

  /**
   * Notes who pinned a process; null when it is unpinned. Without a gateway, a pinned process has the longer time
   * limit.
   */
  setPinned(key: string, by: string | null): void {
    this.#journals.get(key)?.notePinned(by);
    const kept = this.#kept.get(key);
    if (!kept) return;
    kept.isPinned = by !== null;
    kept.child.setOwned(this.#owned(kept));
  }

  /** Registers a running process and its journal. */
  keep(kept: Kept, journal: ProcessJournal): void {
    const { child } = kept;
    this.#kept.set(child.key, kept);
    this.#journals.set(child.key, journal);
    child.onInput((origin, seq) => journal.noteWrite(origin, seq));
  }

  /** Registers only the journal of a process without a keeper. */
  keepNotes(key: string, journal: ProcessJournal): void {
    this.#journals.set(key, journal);
  }

  /** Forgets a process that is no longer listed. */
  forget(key: string): void {
    const child = this.#kept.get(key)?.child;
    this.#journals.get(key)?.close();
    this.#kept.delete(key);
    this.#journals.delete(key);
    // The keeper itself removes the folder of a process that it holds.
    if (child?.isReachable) this.#link?.forget(child);
    else rmSync(processFolder(this.stateDir, key), { recursive: true, force: true });
  }

  /** Stops the keeper and removes all notes, so that no later gateway shows these processes. */
  async stop(graceMs: number): Promise<void> {
    this.#isOver = true;
    await this.#link?.stop(graceMs);
    this.#close();
    rmSync(runFolder(this.stateDir), { recursive: true, force: true });
  }

  /**
   * Stops writing notes and sending requests, since a lost connection to this gateway does not end a client's session.
   */
  retire(): void {
    this.#isOver = true;
    this.closeNotes();
    this.#link?.retire();
  }

  /** Closes the notes about clients. */
  closeNotes(): void {
    this.sessions.close();
    this.agents.close();
  }

  /** Leaves all processes to a later gateway; nothing may be sent to clients after this. */
  leave(): void {
    this.#isOver = true;
    this.#link?.leave();
    this.#close();
  }

  get #stdin(): StdinLimits {
    const { stdinQueueBytes, stdinQueueWrites, stdinWaitingBytes, stdinAllBytes, stdinFairBytes } =
      this.#limits;
    return { stdinQueueBytes, stdinQueueWrites, stdinWaitingBytes, stdinAllBytes, stdinFairBytes };
  }

  #owned({ isOwned, owedFrom, ...kept }: Omit<Kept, 'child'>): Owned {
    return { lingerMs: this.#lingerMs(kept), isOwned, ...(owedFrom !== undefined && { owedFrom }) };
  }

  #lingerMs({
    description: { isConsole, starter },
    isPinned,
  }: Pick<Kept, 'description' | 'isPinned'>): number {
    const { sessionTtlMs, keptAgentMs, keptMs } = this.#limits;
    if (isPinned) return keptMs;
    if (!isConsole) return sessionTtlMs;
    return starter.role === 'agent' ? keptAgentMs : keptMs;
  }

  #begun(folder: string, facts: Parameters<typeof ProcessJournal.begin>[1]): ProcessJournal {
    try {
      return ProcessJournal.begin(folder, facts, this.journalFailed);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw new NotKept(
        `cannot start it: the state folder is not writable: ${(error as Error).message}`,
        error,
      );
    }
  }

  /** Returns the link to the keeper; starts a new keeper if the last one has died. */
  async #opened(): Promise<KeeperLink> {
    if (this.#link?.isOpen) return this.#link;
    // A client that gets no reply will ask the next gateway.
    if (this.#isOver) return new Promise(() => {});
    this.#opening ??= KeeperLink.open(this.stateDir, {
      displaced: () => {
        // This gateway must not take over the keeper again while it shuts down.
        this.#isOver = true;
        this.#events.displaced();
      },
      lost: () => {
        this.#wasLost = true;
        this.#events.trouble(
          'The keeper has died, and with it all processes on terminals and in sandboxes; the next start uses a new keeper.',
        );
      },
      trouble: (reason) => this.#events.trouble(reason),
    });
    try {
      this.#link = await this.#opening;
      if (this.#wasLost) this.#events.trouble(null);
      this.#wasLost = false;
      this.#events.notUpgraded(this.#link.notUpgraded);
      return this.#link;
    } finally {
      this.#opening = null;
    }
  }

  #close(): void {
    for (const journal of this.#journals.values()) journal.close();
    this.#journals.clear();
    this.closeNotes();
  }
}

const begun = (child: HeldChild, events: Parameters<HeldChild['begin']>[0]): HeldChild => {
  child.begin(events);
  return child;
};

/** Returns only the fields of a description that are noted; a starter may have all fields of an identity. */
function noted(description: ProcessDescription): ProcessDescription {
  const { processId, session, isConsole, startedBy, starter, metadata, label, restartOf } = description;
  const { notRecorded, runsAsWritten } = description;
  const { tokenId, role } = starter;
  return {
    processId,
    session,
    isConsole,
    startedBy,
    starter: { tokenId, role },
    metadata,
    label,
    restartOf,
    ...(notRecorded && { notRecorded }),
    ...(runsAsWritten && { runsAsWritten }),
  };
}
