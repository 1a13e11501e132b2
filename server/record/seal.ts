// Seals a finished segment: writes it anew in compressed frames, to a new file that later takes its place.
import { closeSync, fdatasyncSync, fstatSync, openSync, readFileSync, rmSync, writevSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { readRegular } from '../host/regular-file.ts';
import type { RecordedSize } from './event.ts';
import { encodeSealed, type FrameStart } from './sealed-format.ts';
import { plainSegment } from './segment-content.ts';
import { decodeHead, HEAD_BYTES, isOutput, recordsIn } from './segment-format.ts';
import { decodeCount, decodeSize } from './segment-payloads.ts';
import { withFile } from './with-file.ts';

/** Minimum length of a frame before compression; only the last one may be shorter. */
const FRAME_BYTES = 128 * 1024;
/** Maximum length of a sealed segment as a share of the plain one; if it would be longer, it stays plain. */
const SHARE = 0.8;
/** Maximum number of frames that are compressed first, to find out whether the others will shrink. */
const SAMPLES = 4;

const LINE_FEED = 10;

const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: FRAME_BYTES,
  },
};

export interface SealTask {
  readonly path: string;
  /** Path of the sealed file, which must not exist yet. */
  readonly to: string;
}

/** Identity of the file that was sealed, by which a later change of the file is detected. */
export interface FileIdentity {
  readonly inode: number;
  readonly bytes: number;
}

/** Returns the sealed form of a plain segment; null when it is damaged, has no events, or does not shrink enough. */
function sealed(plain: Buffer): Buffer | null {
  const starts = frameStarts(plain);
  if (!starts || starts.length < 2) return null;
  const compressed = (index: number): Buffer =>
    brotliCompressSync(plain.subarray(starts[index]?.at, starts[index + 1]?.at), BROTLI);
  const count = starts.length - 1;
  const every = Math.ceil(count / SAMPLES);
  let [before, after] = [0, 0];
  for (let index = 0; index < count; index += every) {
    before += (starts[index + 1]?.at ?? 0) - (starts[index]?.at ?? 0);
    after += compressed(index).length;
  }
  if (after > SHARE * before) return null;
  const frames = Array.from({ length: count }, (_, index) => compressed(index));
  const bytes = Buffer.concat(encodeSealed(plain.subarray(0, HEAD_BYTES), frames, starts));
  return bytes.length <= SHARE * plain.length ? bytes : null;
}

/**
 * Writes the sealed form of a segment completely to the disk, and reads it again, because the plain one is about to be
 * removed. Returns the identity of the plain file; null, and leaves no file, when the segment is missing or is to stay
 * plain. Throws when the new file cannot be written.
 */
export function sealSegment({ path, to }: SealTask): FileIdentity | null {
  const found = wholeFile(path);
  const bytes = found && sealed(found.plain);
  if (!bytes) return null;
  const file = openSync(to, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writevSync(file, [bytes.subarray(at)]);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
  if (plainSegment(readRegular(to)).equals(found.plain)) return found.identity;
  rmSync(to);
  return null;
}

/** Reads a whole file with its identity; returns null for a missing one, which may have been deleted. */
const wholeFile = (path: string): { readonly plain: Buffer; readonly identity: FileIdentity } | null =>
  withFile(path, (file) => {
    const plain = readFileSync(file);
    return { plain, identity: { inode: fstatSync(file).ino, bytes: plain.length } };
  });

/** Returns the beginnings of the frames and the end of the last one; null for a damaged segment. */
function frameStarts(plain: Buffer): readonly FrameStart[] | null {
  const head = decodeHead(plain);
  if (!head) return null;
  const starts: FrameStart[] = [];
  let [end, seq, offset, textAt, lines] = [HEAD_BYTES, 1, head.firstOffset, 0, 0];
  let size: RecordedSize | null = null;
  const startHere = (): Omit<FrameStart, 'seq'> => ({ at: end, offset, size, textAt, lines });
  let start: Omit<FrameStart, 'seq'> | null = startHere();
  for (const record of recordsIn(plain, head)) {
    if (record.type === 'damage') return null;
    const { type, payload } = record;
    if (type === 'place') seq = decodeCount(payload) ?? seq;
    else if (type === 'resize') {
      const decoded = decodeSize(payload);
      if (decoded) size = { afterSeq: seq - 1, ...decoded };
    } else if (isOutput(type) || type === 'exit' || type === 'end') {
      // The frame may begin with the record of its first event's number, so `seq` is right only at that event.
      if (start) starts.push({ ...start, seq });
      start = null;
      seq += 1;
    }
    if (isOutput(type)) {
      offset = record.offset + payload.length;
      textAt += payload.length;
      lines += lineFeedsIn(payload);
    }
    ({ end } = record);
    if (end - (starts.at(-1)?.at ?? 0) >= FRAME_BYTES) start ??= startHere();
  }
  starts.push({ at: plain.length, seq, offset, size, textAt, lines });
  return starts;
}

/** Counts in a loop, because a call of `indexOf` for each line takes long where lines are short. */
function lineFeedsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === LINE_FEED) count += 1;
  return count;
}
