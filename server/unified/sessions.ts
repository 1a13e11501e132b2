// All sessions of unified exec: their ids, which of them an agent still works with, and what of the others can be read.
import { randomInt } from 'node:crypto';
import { Failed } from './failed.ts';
import { Held, type Finds, type HeldFacts } from './held.ts';
import type { Notes } from './notes.ts';
import { givesWay } from './prune.ts';

/** Ids are in this range; the second is not one. */
const IDS = [1000, 100_000] as const;
/** Picks of an id, after which there are too few free ones. */
const MOST_PICKS = 100;
/** Ids that are not used again so soon: the gateway still knows their processes. */
const SPENT_IDS = 20_000;
/** Most sessions of one token, over all of its threads. */
const MOST_OF_TOKEN = 256;
/** Sessions whose end was reported that can still be read, of one thread and of one token, and for how long. */
const READABLE = 64;
const READABLE_OF_TOKEN = 256;
const READABLE_MS = 30 * 60 * 1000;
/** Time between SIGTERM and SIGKILL for a session that gives way. */
const GRACE_MS = 2000;

interface Added {
  readonly held: Held;
  /** Live sessions that were ended for it. */
  readonly ended: readonly Held[];
}

export class Sessions {
  readonly #find: Finds;
  readonly #notes: Notes | null;
  /** Token → its sessions, the oldest first. */
  readonly #ofTokens = new Map<string, Set<Held>>();
  readonly #byId = new Map<number, Held>();
  readonly #spent = new Set<number>();

  constructor(find: Finds, notes: Notes | null) {
    this.#find = find;
    this.#notes = notes;
  }

  add(facts: Omit<HeldFacts, 'id'>): Added {
    const { tokenId } = facts;
    const ended = [this.#makeRoom(tokenId, facts), this.#makeRoom(tokenId, null)].flatMap(
      (each) => each ?? [],
    );
    this.#forgetOld(tokenId);
    return { held: this.#take(new Held({ ...facts, id: this.#freeId() }, this.#find)), ended };
  }

  /** A session of an earlier gateway. */
  restore(facts: HeldFacts, sinceMs: number): Held {
    return this.#take(new Held(facts, this.#find, sinceMs));
  }

  #take(held: Held): Held {
    const { id, tokenId } = held.facts;
    this.#byId.set(id, held);
    const all = this.#ofTokens.get(tokenId) ?? new Set();
    this.#ofTokens.set(tokenId, all.add(held));
    return held;
  }

  /** One that the agent still works with; undefined for any other, and for one of another token. */
  open(id: number, tokenId: string): Held | undefined {
    const held = this.readable(id, tokenId);
    return held?.reportedAtMs === null ? held : undefined;
  }

  /** The same, or one whose end was reported not long ago. */
  readable(id: number, tokenId: string): Held | undefined {
    const held = this.#byId.get(id);
    return held?.facts.tokenId === tokenId && !isOld(held) ? held : undefined;
  }

  /** All of a token that can be read, the oldest first. */
  of(tokenId: string): readonly Held[] {
    return [...(this.#ofTokens.get(tokenId) ?? [])].filter((held) => !isOld(held));
  }

  remove(held: Held): void {
    const { id, tokenId } = held.facts;
    if (!this.#byId.delete(id)) return;
    for (const kind of ['held', 'drain', 'start']) this.#notes?.remove(kind, String(id));
    const all = this.#ofTokens.get(tokenId);
    all?.delete(held);
    if (all?.size === 0) this.#ofTokens.delete(tokenId);
    this.#spent.add(id);
    const [first] = this.#spent;
    if (this.#spent.size > SPENT_IDS && first !== undefined) this.#spent.delete(first);
  }

  /** Returns the live session that was ended for a new one of this thread; `thread` null: of this token. */
  #makeRoom(tokenId: string, thread: Pick<HeldFacts, 'line' | 'thread'> | null): Held | null {
    const open = this.of(tokenId).filter(
      (held) => held.reportedAtMs === null && (thread === null || isOfThread(held, thread)),
    );
    const held = givesWay(open, thread === null ? MOST_OF_TOKEN : undefined);
    if (!held) return null;
    const wasLive = !held.hasExited;
    held.reported();
    if (!wasLive) return null;
    const { line } = held.facts;
    // When the line is cut, the end of its session ends the process.
    line
      .request('process/terminate', { processId: held.processId, graceMs: GRACE_MS })
      .catch(() => undefined);
    return held;
  }

  #forgetOld(tokenId: string): void {
    const reported = [...(this.#ofTokens.get(tokenId) ?? [])]
      .filter(({ reportedAtMs }) => reportedAtMs !== null)
      .toSorted((one, other) => (other.reportedAtMs ?? 0) - (one.reportedAtMs ?? 0));
    const counts = new Map<string, number>();
    for (const [at, held] of reported.entries()) {
      const name = threadName(held.facts);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if (isOld(held) || count > READABLE || at >= READABLE_OF_TOKEN) this.remove(held);
    }
  }

  #freeId(): number {
    for (let pick = 0; pick < MOST_PICKS; pick += 1) {
      const id = randomInt(...IDS);
      if (!this.#byId.has(id) && !this.#spent.has(id)) return id;
    }
    throw new Failed('exec_command failed: no session ID is free; end sessions with terminate');
  }
}

/** A client without threads is one thread. */
const threadName = ({ line, thread }: Pick<HeldFacts, 'line' | 'thread'>): string =>
  JSON.stringify([line.clientName, thread]);

const isOfThread = (held: Held, thread: Pick<HeldFacts, 'line' | 'thread'>): boolean =>
  threadName(held.facts) === threadName(thread);

const isOld = ({ reportedAtMs }: Held): boolean =>
  reportedAtMs !== null && performance.now() - reportedAtMs > READABLE_MS;
