// Creates the steps that replay a process started before this gateway, from its log on disk and its noted seqs.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildExit } from '../host/child.ts';
import { nullWhenMissing, readRegular } from '../host/regular-file.ts';
import type { NotedEvents } from '../journal/seq-index.ts';
import type { Sealed } from '../keeper/seq-journal.ts';
import type { PastStep } from '../keeper/begun.ts';
import { isOutput, lostOutputAt, recordsIn, type SegmentRecord } from '../record/segment-format.ts';
import { headOf } from '../record/segment-head.ts';
import { decodeCount, decodeExit, decodeSize } from '../record/segment-payloads.ts';

/** Past of a process: its events with a noted seq, its exit, and whether a keeper holds it. */
export interface Past extends NotedEvents {
  /** Exit according to the keeper; without a keeper, the recorded exit if its event has a seq; otherwise null. */
  readonly exit: ChildExit | null;
  /** True when a keeper holds the process, and will send the events that have no seq yet. */
  readonly isHeld: boolean;
}

interface Disk {
  /** Offset of the first byte of output on disk; 0 without a readable first segment. */
  readonly firstOffset: number;
  readonly records: Iterable<SegmentRecord>;
}

/**
 * Reads the log of a process in its folder; damaged records are left out. A `gap` without content ends output at the end
 * of the log that is lost, and whose length is known.
 */
export function logOnDisk(folder: string): Disk {
  const paths = readdirSync(folder)
    .filter((name) => /^\d+\.xcr$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
  const [first] = paths;
  const head = first === undefined ? null : headOf(segmentAt(first));
  return { firstOffset: head?.firstOffset ?? 0, records: recordsOf(paths) };
}

/** Reads the exit from the log of a process that no keeper holds; null when the log has none. */
export function exitOnDisk(folder: string): ChildExit | null {
  for (const { type, payload } of logOnDisk(folder).records) {
    const exit = type === 'exit' ? decodeExit(payload) : null;
    if (exit) return { code: exit.code, signal: exit.signal };
  }
  return null;
}

function* recordsOf(paths: readonly string[]): Generator<SegmentRecord> {
  for (const path of paths) {
    const bytes = segmentAt(path);
    const head = headOf(bytes);
    if (!head) continue;
    for (const record of recordsIn(bytes, head)) {
      if (record.type !== 'damage') yield record;
      else if (path === paths.at(-1) && record.end === bytes.length) {
        const lost = lostOutputAt(bytes, record.start, head.salt);
        if (lost) yield { type: 'gap', atMs: head.wallMs, offset: lost.endOffset, payload: Buffer.alloc(0) };
      }
    }
  }
}

/** Reads a segment; returns an empty buffer, which has no valid head, for a removed one and for anything but a file. */
function segmentAt(path: string): Buffer {
  try {
    return readRegular(path);
  } catch (error) {
    return nullWhenMissing(error) ?? Buffer.alloc(0);
  }
}

/**
 * Size in bytes at which a part of the replay ends with the current event; less than the output that may wait
 * to be recorded.
 */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * Yields the steps in parts of at least `least` bytes of output, except the last part, which may be empty. A part
 * ends with the first step that reaches this size and does not split an event with a seq.
 */
export function* replayParts(steps: Iterable<PastStep>, least = PART_BYTES): Generator<readonly PastStep[]> {
  let part: PastStep[] = [];
  let bytes = 0;
  let isWithinEvent = false;
  for (const step of steps) {
    part.push(step);
    if (step.kind === 'output') {
      bytes += step.bytes.length;
      isWithinEvent = step.isContinued;
    }
    // A `resized` step ends no event: each file of the log repeats the size, even within an event.
    if (bytes < least || isWithinEvent) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  yield part;
}

/**
 * Yields the steps after the noted `earlier` events in order; each event retains its seq and its boundaries. For a
 * process that a keeper holds, the steps end with the last event that has a seq. Missing output gets a seq if it has
 * none, so that readers count it.
 */
export function* pastSteps({ earlier, entries, exit, isHeld }: Past, disk: Disk): Generator<PastStep> {
  const startOf = (index: number): number => entries[index - 1]?.endOffset ?? earlier.bytes;
  let next = 0;
  let at = earlier.bytes;
  const sealedBytes = startOf(entries.length);
  const upTo = isHeld ? sealedBytes : Infinity;
  let recorded: (ChildExit & { readonly atMs: number }) | null = null;
  let ranOutAtMs: number | null = null;
  let hasEnded = false;

  const exitOf = ({ exitCode, sandboxDenied, atMs }: Sealed): PastStep => {
    const signal = exit?.signal ?? recorded?.signal ?? null;
    return { kind: 'exited', exit: { code: exitCode, signal }, sandboxDenied, atMs, unhandled: null };
  };

  /** Yields the noted `exited` and `closed` events at the current offset. */
  function* ends(): Generator<PastStep> {
    for (let entry = entries[next]; entry && entry.endOffset <= at; entry = entries[next]) {
      next += 1;
      if (entry.kind === 'exited') yield exitOf(entry);
      else if (entry.kind === 'closed') yield { kind: entry.kind };
    }
  }

  /**
   * Skips the missing output up to `offset`: its events retain their seqs, and an exit among them is still
   * replayed.
   */
  function* skipTo(offset: number): Generator<PastStep> {
    let isContinued = next < entries.length && at > startOf(next);
    let missing: number[] = [];
    for (; next < entries.length && startOf(next) < offset; next += 1) {
      const entry = entries[next];
      if (entry?.kind !== 'exited') missing.push(entry?.endOffset ?? 0);
      else {
        if (missing.length > 0) yield { kind: 'missing', ends: missing, isContinued };
        yield exitOf(entry);
        missing = [];
        isContinued = false;
      }
    }
    // The last skipped event may end after `offset`; if it ends before, the output up to `offset` has no seq yet.
    at = Math.max(offset, startOf(next));
    if (at > startOf(next)) missing.push(at);
    if (missing.length > 0) yield { kind: 'missing', ends: missing, isContinued };
    yield* ends();
  }

  if (disk.firstOffset > at) yield* skipTo(disk.firstOffset);
  yield* ends();
  for (const { type, offset, payload, atMs } of disk.records) {
    if (type === 'resize') {
      const size = decodeSize(payload);
      if (size && offset <= Math.max(at, upTo)) yield { kind: 'resized', size };
    } else if (type === 'exit') {
      const decoded = decodeExit(payload);
      if (decoded) recorded = { code: decoded.code, signal: decoded.signal, atMs };
    } else if (type === 'ranOut') ranOutAtMs = decodeCount(payload);
    else if (type === 'end') hasEnded = true;
    else if (type === 'gap' && !isHeld && offset > at) yield* skipTo(offset);
    if (!isOutput(type)) continue;
    if (at >= upTo) break;
    if (offset > at) yield* skipTo(Math.min(offset, upTo));
    const end = Math.min(offset + payload.length, upTo);
    while (at < end) {
      const entry = entries[next];
      const to = entry ? Math.min(end, entry.endOffset) : end;
      const isWhole = to === entry?.endOffset;
      const bytes = payload.subarray(at - offset, to - offset);
      const isContinued = entry !== undefined && !isWhole;
      yield { kind: 'output', stream: type, bytes, atMs, isWhole, isContinued };
      at = to;
      if (isWhole) next += 1;
      yield* ends();
    }
  }
  // The log may have been truncated while the seqs were not.
  if (next < entries.length) yield* skipTo(sealedBytes);
  if (isHeld) return;
  const known = new Set(entries.map(({ kind }) => kind));
  if (recorded && !known.has('exited')) {
    const { code, signal, atMs } = recorded;
    yield { kind: 'exited', exit: { code, signal }, sandboxDenied: false, atMs, unhandled: { ranOutAtMs } };
  }
  if (hasEnded && !known.has('closed') && (recorded || known.has('exited'))) yield { kind: 'closed' };
}
