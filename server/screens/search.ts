// Searches the retained output of many processes, one after another, in a separate thread.
import { once } from 'node:events';
import type { LogView, ProcessView } from '../keeper/process-view.ts';
import type { SearchHit, SearchResult } from '../../protocol/looks.ts';
import { startThread, type Thread } from '../host/start-thread.ts';
import { durationText } from '../../text/amounts.ts';
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import type { Found } from './match-lines.ts';
import type { SearchTask } from './search-thread.ts';

export interface SearchLimits {
  readonly searchHits: number;
  readonly searchHitsPerProcess: number;
  /** Time limit for one process's output; an expression that takes longer is refused. */
  readonly searchMs: number;
  /** Time limit for all outputs, excluding waits for other searches; hits found by then are returned. */
  readonly searchAllMs: number;
}

/** Error for an invalid or too slow expression, with a message for the person who typed it. */
export class SearchRefused extends Error {}

/** Error for a search of plain text that takes too long because the machine is busy, with a message for people. */
export class SearchTimeout extends Error {}

export interface SearchRequest {
  /** ID of the requester's share or token; searches with the same ID run one after another. */
  readonly who: string;
  readonly processes: readonly ProcessView[];
  readonly query: LineQuery;
  readonly isAborted: () => boolean;
  /** Returns all retained output that the requester may see. */
  readonly outputOf: (log: LogView) => Buffer;
  readonly isRedacted: boolean;
}

export class Search {
  readonly #limits: SearchLimits;
  #worker: Thread | null = null;
  /** Last search of each requester, for which the requester's next one waits. */
  readonly #last = new Map<string, Promise<unknown>>();
  /**
   * Settles when the last queued turn ends. Searches take turns after each process's output, so that none waits for
   * another's whole search.
   */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves with the newest hits of each process, in the order of `processes`, until a limit is reached or the search
   * is aborted. Throws SearchRefused for an invalid expression, and rejects with it for one that takes too long;
   * rejects with SearchTimeout when plain text takes too long.
   */
  search(asked: SearchRequest): Promise<SearchResult> {
    const { query, who } = asked;
    try {
      expressionOf(query);
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
      await this.#inTurn(async () => {
        if (isAborted()) return;
        searched += 1;
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

  /** Starts the thread before the time limit begins, because a start may be slow. */
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
      const time = `more than ${durationText(this.#limits.searchMs)} for the output of one process`;
      if (!task.query.isRegex)
        throw new SearchTimeout(`the search took ${time}, because the machine is busy; try again later`, {
          cause: error,
        });
      throw new SearchRefused(`the expression takes too long: ${time}; use a simpler one`, { cause: error });
    }
  }
}
