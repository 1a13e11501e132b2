// Marks of a recording in order; bells, prompts and errors that are close together are merged.
import type { Act } from '../../protocol/console.ts';
import type { RecordingMark } from '../../protocol/replay.ts';
import { isSignalName } from '../../protocol/signals.ts';
import { readRegularAsync } from '../host/regular-file.ts';
import { marksPath } from '../record/places.ts';

/** Maximum number of marks found in output. */
const MOST_MARKS = 2000;
/** Marks of one kind within this time are merged. */
const TOGETHER_MS = 250;

export class Marks {
  readonly #marks: RecordingMark[] = [];
  readonly #newest = new Map<string, number>();
  isCut = false;

  get all(): readonly RecordingMark[] {
    return this.#marks;
  }

  add(mark: RecordingMark): void {
    const at = this.#newest.get(mark.kind);
    const before = at === undefined ? undefined : this.#marks[at];
    // Sizes, gaps and exits are never merged, because each has a different value.
    const isAlike = mark.kind === 'bell' || mark.kind === 'prompt' || mark.kind === 'error';
    if (isAlike && before && at !== undefined && mark.atMs - before.atMs < TOGETHER_MS) {
      this.#marks[at] = { ...before, count: before.count + 1 };
      return;
    }
    if (this.#marks.length >= MOST_MARKS) {
      this.isCut = true;
      return;
    }
    this.#newest.set(mark.kind, this.#marks.length);
    this.#marks.push(mark);
  }
}

const OTHER_ACTS: readonly string[] = [
  'closeStdin',
  'restart',
  'sessionExpired',
  'gatewayStopped',
] satisfies Act['how'][];

const isHow = (how: unknown): how is Act['how'] =>
  typeof how === 'string' && (isSignalName(how) || OTHER_ACTS.includes(how));

/** Returns the marks of input and acts that are stored beside the recording; ignores invalid lines and read errors. */
export async function notedMarks(folder: string): Promise<RecordingMark[]> {
  const text = await readRegularAsync(marksPath(folder)).catch(() => '');
  return text
    .toString()
    .split('\n')
    .map(parsed)
    .filter((mark) => mark !== null);
}

function parsed(line: string): RecordingMark | null {
  if (line === '') return null;
  try {
    const mark: unknown = JSON.parse(line);
    if (typeof mark !== 'object' || mark === null) return null;
    const { kind, who, how, atMs } = mark as { readonly [name: string]: unknown };
    if (typeof who !== 'string' || typeof atMs !== 'number') return null;
    if (kind === 'input') return { kind, who, atMs, count: 1 };
    return kind === 'act' && isHow(how) ? { kind, who, how, atMs, count: 1 } : null;
  } catch {
    return null;
  }
}
