// Records one process: the events of its log, its sizes, and the acts on it.
import type { ProcessInfo } from '../../protocol/console.ts';
import { redactedLastLine } from '../delivery/redacted-last-line.ts';
import type { LogStep } from '../keeper/log-event.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Recorder } from '../record/recorder.ts';

/** Pause after which further input from the same writer gets a new mark. */
const TYPING_PAUSE_MS = 1000;
/** Maximum number of input marks, and of marks of acts, of one process; each takes about 80 bytes. */
const MOST_MARKS = 5000;

export interface Recorded {
  readonly describe: () => ProcessInfo;
  /** Name of the client that started the process; null for people. */
  readonly clientName: string | null;
  /** True for a process that an earlier gateway started; its log replays events that may already be recorded. */
  readonly isContinued: boolean;
}

export function recordProcess(
  recorder: Recorder,
  process: ProcessView,
  { describe, clientName, isContinued }: Recorded,
): void {
  const { key, log, description, spec } = process;
  const start = { seq: log.nextSeq, offset: log.sealedBytes, isContinued };
  recorder.begin(
    key,
    process.startedAtMs,
    {
      describe: () => ({
        info: { ...describe(), lastLine: redactedLastLine(process) },
        isConsole: description.isConsole,
        tokenId: description.starter.tokenId,
        role: description.starter.role,
        sandboxType: spec.sandbox?.type ?? 'none',
        clientName,
      }),
      gather: () => log.seal(),
      hold: () => {
        // No output is read from the process until the hold is closed.
        const hold = process.hold(log.nextSeq, Number.NEGATIVE_INFINITY);
        return () => hold.close();
      },
    },
    start,
  );
  if (process.size) recorder.resized(key, process.size, process.startedAtMs);
  log.onStep((step) => take(recorder, process, step));
  log.onChange(() => recorder.printed(key));
  let marked: object | undefined;
  let actCount = 0;
  const inputs = new InputMarks((who, atMs) => recorder.mark(key, { kind: 'input', who, atMs }));
  process.onChange((urgency) => {
    if (process.lastInput) inputs.typed(process.lastInput);
    if (urgency === 'later') return;
    const { acts } = process;
    const from = acts.findLastIndex((act) => act === marked) + 1;
    // A client may signal its process any number of times, so the marks are limited.
    for (const act of acts.slice(from, from + Math.max(0, MOST_MARKS - actCount))) {
      recorder.mark(key, { kind: 'act', ...act });
      actCount += 1;
    }
    marked = acts.at(-1);
  });
}

/** Marks who typed and when, but never the text. */
class InputMarks {
  readonly #mark: (who: string, atMs: number) => void;
  #last: NonNullable<ProcessView['lastInput']> | null = null;
  #count = 0;

  constructor(mark: (who: string, atMs: number) => void) {
    this.#mark = mark;
  }

  typed(input: NonNullable<ProcessView['lastInput']>): void {
    const { who, atMs } = input;
    const isAnew = this.#last === null || who !== this.#last.who || atMs - this.#last.atMs >= TYPING_PAUSE_MS;
    this.#last = input;
    if (!isAnew || this.#count >= MOST_MARKS) return;
    this.#count += 1;
    this.#mark(who, atMs);
  }
}

function take(recorder: Recorder, { key, exit, exitedAtMs }: ProcessView, step: LogStep): void {
  const atMs = Date.now();
  switch (step.kind) {
    case 'output':
      recorder.output(key, step.stream, step.bytes, step.atMs);
      break;
    case 'begun':
      recorder.continuesAt(key, step.seq, step.offset);
      break;
    case 'resized':
      recorder.resized(key, step, atMs);
      break;
    case 'exited': {
      const { exitCode: code, sandboxDenied } = step;
      recorder.exited(key, { code, signal: exit?.signal ?? null, sandboxDenied }, exitedAtMs ?? atMs);
      break;
    }
    case 'closed':
      recorder.closed(key, atMs);
      break;
  }
}
