// Lists the processes of the history, starting after a place: first those that were running when the first page
// was requested, then those in the catalogue.
import type { HistoryEntry } from '../../protocol/history.ts';
import { folderOf, monthOf } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import { isWanted, type Filter } from './filter.ts';
import { entryOf } from './history-entry.ts';
import { byStart, type Place } from './place.ts';

export interface Listed {
  readonly entry: HistoryEntry;
  readonly folder: string;
  /** Time after which the process printed nothing; Infinity when it may have been running at the first page. */
  readonly endMs: number;
  /** Place after this process. */
  readonly place: Place;
}

export interface CandidatesOptions {
  readonly recorder: Recorder;
  /** Returns the processes of this gateway that are not in the catalogue. */
  readonly present: () => readonly HistoryEntry[];
}

export class Candidates {
  readonly #options: CandidatesOptions;

  constructor(options: CandidatesOptions) {
    this.#options = options;
  }

  /** Yields matching processes after a place; with `only`, just the process with this key. */
  async *from(place: Place, filter: Filter, only?: string): AsyncGenerator<Listed> {
    for await (const listed of this.#all(place, filter)) {
      if (only !== undefined && listed.entry.key !== only) continue;
      yield listed;
      if (only !== undefined) return;
    }
  }

  async *#all(place: Place, filter: Filter): AsyncGenerator<Listed> {
    if (place.last.kind === 'running') yield* await this.#running(place, filter);
    yield* this.#ended(place, filter);
  }

  /**
   * Returns the processes that were running when the first page was requested, even if they have ended since,
   * and those of this gateway that are never recorded.
   */
  async #running(from: Place, filter: Filter): Promise<Listed[]> {
    const { recorder, present } = this.#options;
    const { beginMs, last } = from;
    if (last.kind !== 'running') return [];
    const entries = new Map<string, HistoryEntry>();
    for (const entry of present()) {
      // A closed process with an unfinished recording is about to be added to the catalogue.
      if (entry.state === 'closed' && recorder.isLive(entry.key)) {
        await recorder.flushed(entry.key);
        if (!recorder.isLive(entry.key)) continue;
      }
      // The output of an exited process may continue, so the process does not count as ended.
      const endedAtMs = entry.state === 'exited' ? null : entry.exitedAtMs;
      if (isWanted(entry, endedAtMs, filter) && entry.startedAtMs <= beginMs) entries.set(entry.key, entry);
    }
    for await (const { meta } of recorder.catalog.endedSince(beginMs))
      if (isWanted(meta.info, meta.endedAtMs, filter)) entries.set(meta.info.key, entryOf(meta));
    return [...entries.values()]
      .toSorted(byStart)
      .filter((entry) => byStart(entry, last) > 0)
      .map((entry) => ({
        entry,
        folder: this.#folderOf(entry),
        endMs: Number.POSITIVE_INFINITY,
        place: {
          beginMs,
          last: { kind: 'running', startedAtMs: entry.startedAtMs, key: entry.key },
        },
      }));
  }

  async *#ended({ beginMs, last }: Place, filter: Filter): AsyncGenerator<Listed> {
    const from = last.kind === 'ended' ? last.entry : null;
    const { catalog } = this.#options.recorder;
    for await (const { meta, place } of catalog.newestFirst(from, filter.sinceMs)) {
      const { info, endedAtMs } = meta;
      // `#running` lists the processes that ended after the first page was requested.
      if ((endedAtMs ?? 0) >= beginMs) continue;
      if (!isWanted(info, endedAtMs, filter)) continue;
      const entry = entryOf(meta);
      yield {
        entry,
        folder: this.#folderOf(entry),
        endMs: endedAtMs ?? Number.POSITIVE_INFINITY,
        place: {
          beginMs,
          last: { kind: 'ended', entry: { ...place, key: info.key } },
        },
      };
    }
  }

  #folderOf({ key, startedAtMs }: HistoryEntry): string {
    return folderOf(this.#options.recorder.root, monthOf(startedAtMs), key);
  }
}
