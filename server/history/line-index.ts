// Sparse indexes of the lines of recordings, with one place per block of bytes. Counts are cached, so that only the new
// bytes of a growing segment are counted.
import type { StoredRecording } from '../record/stored-recording.ts';
import { FIRST_PLACE, rowOf, type LinePlace } from './line-place.ts';
import type { HistoryTasks } from './tasks.ts';

/** Maximum number of recordings whose lines are indexed; the index of a recording of 1 GiB takes about 0.5 MiB. */
const MOST_INDEXES = 32;

interface Counted {
  readonly start: LinePlace;
  readonly places: readonly LinePlace[];
  readonly end: LinePlace;
  /** Bytes of the segment that are already counted. */
  readonly at: number;
}

export class LineIndexes {
  readonly #tasks: HistoryTasks;
  /** Indexes by folder, least recently used first. */
  readonly #indexes = new Map<string, LineIndex>();

  constructor(tasks: HistoryTasks) {
    this.#tasks = tasks;
  }

  of(folder: string): LineIndex {
    const index = this.#indexes.get(folder) ?? new LineIndex(this.#tasks);
    this.#indexes.delete(folder);
    this.#indexes.set(folder, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MOST_INDEXES && oldest !== undefined) this.#indexes.delete(oldest);
    return index;
  }
}

export class LineIndex {
  readonly #tasks: HistoryTasks;
  #counted = new Map<string, Counted>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(tasks: HistoryTasks) {
    this.#tasks = tasks;
  }

  /**
   * Resolves with the last indexed place at or before a row or a byte, counting lines as far as necessary;
   * null for a row beyond the end.
   */
  before(
    recording: StoredRecording,
    wanted: { row: number } | { offset: number },
  ): Promise<LinePlace | null> {
    const done = this.#turn.then(() => this.#before(recording, wanted));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #before(
    recording: StoredRecording,
    wanted: { row: number } | { offset: number },
  ): Promise<LinePlace | null> {
    const isBefore = (place: LinePlace): boolean =>
      'row' in wanted ? rowOf(place) <= wanted.row : place.offset <= wanted.offset;
    const { segments } = recording;
    const before = this.#counted;
    const paths = new Set(segments.map(({ path }) => path));
    this.#counted = new Map([...before].filter(([path]) => paths.has(path)));
    let end = FIRST_PLACE;
    for (const segment of segments) {
      const counted = await this.#count(segment, end);
      this.#counted.set(segment.path, counted);
      if (!isBefore(counted.end)) return counted.places.findLast(isBefore) ?? end;
      ({ end } = counted);
    }
    return 'offset' in wanted ? end : null;
  }

  async #count({ path, bytes }: { path: string; bytes: number }, start: LinePlace): Promise<Counted> {
    const known = this.#counted.get(path);
    const isJoined = known?.start.offset === start.offset && known.start.open.join() === start.open.join();
    const from = isJoined ? moved(known, start) : { start, places: [], end: start, at: 0 };
    if (from.at >= bytes) return from;
    const { places, at, place } = await this.#tasks.ask('scan', { path, at: from.at, place: from.end });
    return { start, places: [...from.places, ...places], end: place, at };
  }
}

/** Returns a counted segment with a new start, since an earlier segment may have been removed. */
function moved(counted: Counted, start: LinePlace): Counted {
  const { start: before } = counted;
  const [lines, gaps] = [start.lines - before.lines, start.gaps - before.gaps];
  if (lines === 0 && gaps === 0 && start.linesAtGap === before.linesAtGap) return counted;
  const move = (place: LinePlace): LinePlace => ({
    ...place,
    lines: place.lines + lines,
    gaps: place.gaps + gaps,
    linesAtGap: place.gaps === before.gaps ? start.linesAtGap : place.linesAtGap + lines,
  });
  return { start, places: counted.places.map(move), end: move(counted.end), at: counted.at };
}
