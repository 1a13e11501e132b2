// Looks through the retained output of many processes, one after another, in a thread of its own.
import { once } from 'node:events';
import type { LogView, ProcessView } from '../keeper/process-view.ts';
import type { SearchHit, SearchResult } from '../../protocol/looks.ts';
import { startThread, type Thread } from '../host/start-thread.ts';
import { matcher, type Found, type Query } from './match-lines.ts';
import type { SearchTask } from './search-thread.ts';

export interface SearchLimits {
  readonly searchHits: number;
  readonly searchHitsPerProcess: number;
  /** What one process's output may take; an expression that takes longer is given up. */
  readonly searchMs: number;
  /** What all of them may take, without waiting for others; what has been found by then is the answer. */
  readonly searchAllMs: number;
}

/** The expression is none, or takes too long: what a person who typed it should read. */
export class SearchRefused extends Error {}

export interface SearchRequest {
  /** Of one at a time one search is under way, whatever they ask for. */
  readonly who: string;
  readonly processes: readonly ProcessView[];
  readonly query: Query;
  readonly isAborted: () => boolean;
  /** All that is retained, as the one who asks may see it. */
  readonly outputOf: (log: LogView) => Buffer;
  readonly isRedacted: boolean;
}

export class Search {
  readonly #limits: SearchLimits;
  #worker: Thread | null = null;
  /** The last search of each who has one under way; the next of theirs waits for it. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** Output by output the searches of all take turns, so that nobody waits for the whole of another's. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  /** The newest hits of each process, in the order of `processes`. Throws SearchRefused. */
  search(asked: SearchRequest): Promise<SearchResult> {
    const { query, who } = asked;
    try {
      matcher(query);
    } catch (error) {
      throw new SearchRefused((error as Error).message, { cause: error });
    }
    const result = (this.#last.get(who) ?? Promise.resolve()).then(() => this.#searchNow(asked));
    const done = result
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(who) === done) this.#last.delete(who);
      });
    this.#last.set(who, done);
    return result;
  }

  close(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  async #searchNow(asked: SearchRequest): Promise<SearchResult> {
    const { processes, query, isAborted, outputOf, isRedacted } = asked;
    const { searchHits, searchHitsPerProcess, searchAllMs } = this.#limits;
    const hits: SearchHit[] = [];
    let searchedBytes = 0;
    let searched = 0;
    let isCut = false;
    let spentMs = 0;
    for (const { key, log } of processes) {
      const room = searchHits - hits.length;
      if (room <= 0 || spentMs >= searchAllMs || isAborted()) break;
      searched += 1;
      await this.#inTurn(async () => {
        if (isAborted()) return;
        const sinceMs = performance.now();
        log.seal();
        const output = outputOf(log);
        if (output.length === 0) return;
        searchedBytes += output.length;
        const offset = log.sealedBytes - output.length;
        const limit = Math.min(searchHitsPerProcess, room);
        const found = await this.#ask({ query, output, offset, limit, isRedacted });
        hits.push(...found.hits.map((hit) => ({ key, ...hit })));
        isCut ||= found.isCut;
        spentMs += performance.now() - sinceMs;
      });
    }
    return { hits, searchedBytes, isComplete: searched === processes.length && !isCut };
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** What a thread takes to start, on a busy machine or the first time, is no expression's fault. */
  async #start(): Promise<Thread> {
    const worker = startThread(new URL('search-thread.ts', import.meta.url), null);
    await once(worker, 'message');
    this.#worker = worker;
    return worker;
  }

  async #ask(task: SearchTask): Promise<Found> {
    const worker = this.#worker ?? (await this.#start());
    const timeout = AbortSignal.timeout(this.#limits.searchMs);
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(task);
      const [found] = (await once(worker, 'message', { signal: timeout })) as [Found];
      return found;
    } catch (error) {
      this.close();
      if (!timeout.aborted) throw error;
      throw new SearchRefused(
        `the expression takes too long: more than ${this.#limits.searchMs} ms for one output`,
        {
          cause: error,
        },
      );
    }
  }
}
