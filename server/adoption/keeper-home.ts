// Runs processes that outlive the gateway in the keeper of its state folder, and notes them for the next gateway.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildSpec } from '../host/child.ts';
import { randomId } from '../host/random-id.ts';
import { withRemedy } from '../host/starved.ts';
import { ProcessJournal } from '../journal/process-journal.ts';
import { NamedNotes } from '../journal/named-notes.ts';
import { noted } from '../journal/noted-description.ts';
import { SessionJournal } from '../journal/session-journal.ts';
import type { HeldChild } from '../keeper/link/held-child.ts';
import { KeeperLink } from '../keeper/link/keeper-link.ts';
import { StateFolderUnwritable } from '../keeper/link/state-folder-unwritable.ts';
import type { Begun } from '../keeper/begun.ts';
import type { HomeStart, ProcessHome } from '../keeper/process-home.ts';
import type { ProcessDescription } from '../keeper/process-view.ts';
import { shownSpec } from '../keeper/shown-command.ts';
import type { Owned, Spawn } from '../keeper/wire/messages.ts';
import { processFolder, runFolder } from '../keeper/wire/place.ts';

type StdinLimits = Spawn['stdin'];

export interface KeeperHomeLimits extends StdinLimits {
  readonly shownCommandChars: number;
  readonly sessionTtlMs: number;
  readonly keptAgentMs: number;
  readonly keptMs: number;
}

export interface KeeperHomeEvents {
  /** Called when another gateway has taken over the keeper; this gateway must end, and leave its processes running. */
  readonly displaced: () => void;
  /** Called with the description of a problem of the keeper, and with null when it is resolved. */
  readonly trouble: (reason: string | null) => void;
  /** Called with the reason, for people, why notes for the next gateway cannot be written; null once all can be. */
  readonly unnoted: (reason: string | null) => void;
  /**
   * Called with the reason, for people, why the keeper does not run this gateway's keeper program; null when it
   * does.
   */
  readonly notUpgraded: (reason: string | null) => void;
  /** Called with the reason, for people, why new processes end with the gateway; null when they do not. */
  readonly withoutKeeper: (reason: string | null) => void;
}

/** Outcome of a start while the state folder cannot be written. */
export type WithoutDisk = 'refused' | 'started in the gateway';

/** A process in the keeper, with the facts that determine how long it runs and which output is retained. */
export interface HomeProcess {
  readonly child: HeldChild;
  readonly description: Pick<ProcessDescription, 'isConsole' | 'starter'>;
  /** True while the owner must receive all output of the process. */
  isOwned: boolean;
  /** True while a person has pinned it, so that it outlives its session. */
  isPinned: boolean;
  /** Offset from which output is retained for an owner that has not resumed yet; absent without such an owner. */
  owedFrom?: number;
}

export class KeeperHome implements ProcessHome {
  readonly stateDir: string;
  readonly sessions: SessionJournal;
  /** Notes about the clients of unified exec and MCP. */
  readonly agents: NamedNotes;
  readonly #limits: KeeperHomeLimits;
  readonly #events: KeeperHomeEvents;
  readonly #processes = new Map<string, HomeProcess>();
  readonly #journals = new Map<string, ProcessJournal>();
  #link: KeeperLink | null = null;
  #opening: Promise<KeeperLink> | null = null;
  #isOver = false;
  /** Number of journals that currently cannot be written. */
  #unnoted = 0;
  /** True from the death of a keeper until a new one is running. */
  #wasLost = false;
  readonly #withoutDisk: WithoutDisk;
  /** True when the newest process was started in the gateway, because the state folder could not be written. */
  #isBeside = false;

  constructor(
    stateDir: string,
    limits: KeeperHomeLimits,
    events: KeeperHomeEvents,
    withoutDisk: WithoutDisk,
  ) {
    this.stateDir = stateDir;
    this.#withoutDisk = withoutDisk;
    this.#limits = limits;
    this.#events = events;
    mkdirSync(runFolder(stateDir), { recursive: true, mode: 0o700 });
    this.sessions = new SessionJournal(runFolder(stateDir), this.journalFailed);
    this.agents = new NamedNotes(join(runFolder(stateDir), 'agents.jsonl'), this.journalFailed);
  }

  /**
   * Counts the journals that cannot be written, and reports the reason. A journal calls this with an error when its
   * notes cannot be written, and with null once they can be written again.
   */
  readonly journalFailed = (error: Error | null): void => {
    this.#unnoted += error ? 1 : -1;
    if (error)
      this.#events.unnoted(
        `The state for the next gateway cannot be written to the state folder: ${withRemedy(error)}`,
      );
    else if (this.#unnoted === 0) this.#events.unnoted(null);
  };

  /** Finds or starts the keeper, so that `link` is available. Rejects with a reason for people. */
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
      if (this.#isBeside) this.#events.withoutKeeper(null);
      this.#isBeside = false;
      return started;
    } catch (error) {
      if (!(error instanceof StateFolderUnwritable) || this.#withoutDisk === 'refused') throw error;
      this.#isBeside = true;
      this.#events.withoutKeeper(
        `New processes run in the gateway and end with it. Reason: ${error.message.replace(/^cannot start [^:]*: /, '')}`,
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
      const held = { description, isOwned, isPinned: false };
      const spawning = link.spawn(key, spec, this.#stdin, this.#owned(held));
      // The file of seqs is created while the keeper starts the process.
      setImmediate(() => journal.seqs.prepare());
      const child = await spawning;
      journal.noteStarted(child);
      this.keep({ ...held, child }, journal);
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
    let remaining = 2;
    const over = (): void => {
      remaining -= 1;
      if (remaining === 0) link.forget(child);
    };
    child.begin({ onOutput() {}, onResized() {}, onExit: over, onEnd: over });
    child.closeStdin();
  }

  setOwned(key: string, isOwned: boolean): void {
    const held = this.#processes.get(key);
    if (!held) return;
    held.isOwned = isOwned;
    if (held.owedFrom !== undefined) {
      delete held.owedFrom;
      this.#journals.get(key)?.noteOwed(null);
    }
    held.child.setOwned(this.#owned(held));
  }

  /**
   * Retains the output of a process from event `seq` on until its owner has resumed, at this gateway or a later
   * one. `offset`: where this event begins in the output, in bytes.
   */
  owe(key: string, seq: number, offset: number): void {
    this.#journals.get(key)?.noteOwed(seq);
    const held = this.#processes.get(key);
    if (!held) return;
    held.owedFrom = offset;
    held.child.setOwned(this.#owned(held));
  }

  /**
   * Notes who pinned a process; `by` is null when it was unpinned. Without a gateway, the keeper ends a pinned
   * process only after `keptMs`.
   */
  setPinned(key: string, by: string | null): void {
    this.#journals.get(key)?.notePinned(by);
    const held = this.#processes.get(key);
    if (!held) return;
    held.isPinned = by !== null;
    held.child.setOwned(this.#owned(held));
  }

  /** Registers a process that the keeper holds, and its journal. */
  keep(held: HomeProcess, journal: ProcessJournal): void {
    const { child } = held;
    this.#processes.set(child.key, held);
    this.#journals.set(child.key, journal);
    child.noteInputIn(journal);
  }

  /** Returns true while this state folder has notes of the process; its output may then still have to be recorded. */
  hasLeft(key: string): boolean {
    return existsSync(processFolder(this.stateDir, key));
  }

  /** Registers only the journal of a process that no keeper holds. */
  keepNotes(key: string, journal: ProcessJournal): void {
    this.#journals.set(key, journal);
  }

  /** Removes the notes and the log of a process that is no longer listed. */
  forget(key: string): void {
    const child = this.#processes.get(key)?.child;
    this.#journals.get(key)?.close();
    this.#processes.delete(key);
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
   * Stops writing notes about sessions and clients, and sending requests to the keeper, so that the end of this
   * gateway's connections does not end their sessions.
   */
  retire(): void {
    this.#isOver = true;
    this.closeNotes();
    this.#link?.retire();
  }

  closeNotes(): void {
    this.sessions.close();
    this.agents.close();
  }

  /** Leaves all processes to a later gateway. Send no event to clients after this: its seq would not be noted. */
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

  #owned({ isOwned, owedFrom, ...held }: Omit<HomeProcess, 'child'>): Owned {
    return { lingerMs: this.#lingerMs(held), isOwned, ...(owedFrom !== undefined && { owedFrom }) };
  }

  #lingerMs({
    description: { isConsole, starter },
    isPinned,
  }: Pick<HomeProcess, 'description' | 'isPinned'>): number {
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
      const reason = withRemedy(error as Error);
      throw new StateFolderUnwritable(
        `cannot start the process: the state folder is not writable: ${reason}`,
        error,
      );
    }
  }

  /** Resolves with an open link to the keeper, which is found or started if necessary. */
  async #opened(): Promise<KeeperLink> {
    if (this.#link?.isOpen) return this.#link;
    // A promise that never settles sends no reply, so that the client retries at the next gateway.
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
