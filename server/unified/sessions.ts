// All sessions of unified exec: their ids, those that an agent can use, and those whose output can still be
// read.
import { randomInt } from 'node:crypto';
import { Failed } from './failed.ts';
import { Held, type Finds, type HeldFacts } from './held.ts';
import type { Notes } from './notes.ts';
import { givesWay, MOST_SESSIONS } from './prune.ts';

/** Range of ids; the upper bound is exclusive. */
const IDS = [1000, 100_000] as const;
/** Maximum random attempts to find a free id. */
const MOST_PICKS = 100;
/** Number of recent ids that are not reused, because the gateway may still list their processes. */
const SPENT_IDS = 20_000;
/** Maximum number of sessions per token, over all of its threads. */
const MOST_OF_TOKEN = 256;
/** Limits on reported sessions that can still be read: number per thread, number per token, and age. */
const READABLE = 64;
const READABLE_OF_TOKEN = 256;
const READABLE_MS = 30 * 60 * 1000;
/** Time between SIGTERM and SIGKILL for an evicted session. */
const GRACE_MS = 2000;

/** Live session that was ended to make room for a new one. */
interface Ended {
  readonly held: Held;
  /** The limit that the new session would have exceeded. */
  readonly most: number;
}

interface Added {
  readonly held: Held;
  readonly ended: readonly Ended[];
}

export class Sessions {
  readonly #find: Finds;
  readonly #notes: Notes | null;
  /** Token → its sessions, oldest first. */
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

  /** Returns a session that the agent can still use; undefined for any other session, and for one of another token. */
  open(id: number, tokenId: string): Held | undefined {
    const held = this.readable(id, tokenId);
    return held?.reportedAtMs === null ? held : undefined;
  }

  /** Returns a session that can be used, or whose output can still be read; undefined for any other session. */
  readable(id: number, tokenId: string): Held | undefined {
    const held = this.#byId.get(id);
    return held?.facts.tokenId === tokenId && !isOld(held) ? held : undefined;
  }

  /** Returns all readable sessions of a token, oldest first. */
  of(tokenId: string): readonly Held[] {
    return [...(this.#ofTokens.get(tokenId) ?? [])].filter((held) => !isOld(held));
  }

  removeOutput(key: string): void {
    for (const held of this.#byId.values()) held.removeOutput(key);
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

  /**
   * Evicts a session if a new one of this thread, or of this token if `thread` is null, would exceed the limit. Returns
   * null if no running process was ended.
   */
  #makeRoom(tokenId: string, thread: Pick<HeldFacts, 'line' | 'thread'> | null): Ended | null {
    const open = this.of(tokenId).filter(
      (held) => held.reportedAtMs === null && (thread === null || isOfThread(held, thread)),
    );
    const most = thread === null ? MOST_OF_TOKEN : MOST_SESSIONS;
    const held = givesWay(open, most);
    if (!held) return null;
    const wasLive = !held.hasExited;
    held.reported();
    if (!wasLive) return null;
    const { line } = held.facts;
    // The process ends with its session if this request fails because the line is cut.
    line
      .request('process/terminate', { processId: held.processId, graceMs: GRACE_MS })
      .catch(() => undefined);
    return { held, most };
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
    throw new Failed('exec_command failed: no session ID is free; try again later');
  }
}

/** Returns the name of a session's thread; clients of the same name without a thread share one. */
const threadName = ({ line, thread }: Pick<HeldFacts, 'line' | 'thread'>): string =>
  JSON.stringify([line.clientName, thread]);

const isOfThread = (held: Held, thread: Pick<HeldFacts, 'line' | 'thread'>): boolean =>
  threadName(held.facts) === threadName(thread);

const isOld = ({ reportedAtMs }: Held): boolean =>
  reportedAtMs !== null && performance.now() - reportedAtMs > READABLE_MS;
