// The index of a finished segment (`.xci` beside its `.xcr`): the signatures of its blocks and of their masked text,
// and the segment's number of line feeds. A segment without a valid index is read whole instead.
import { readSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { readRegular } from '../host/regular-file.ts';
import { indexPath } from '../record/places.ts';
import { formOf } from '../record/segment-content.ts';
import { nullWhenUnreadable, withFile } from '../record/with-file.ts';
import type { LineCount } from './line-count.ts';
import { lineBlocks, type LineBlock } from './line-blocks.ts';
import { maskedBlock } from './masked-block.ts';
import { maskedText, type Previous } from './masked-text.ts';
import { cutsIn, textWithCuts } from './output-gaps.ts';
import { plainView } from './plain-view.ts';
import { linesIn, previousText, segmentText, type SegmentAround, type SegmentText } from './segment-text.ts';
import { blocksWith, bytesFor, LEAST_LETTERS, MOST_BLOCKS, SignatureWriter, widthFor } from './signature.ts';

/** Version of the file's format and of the text that is signed; readers ignore other versions. */
const MAGIC = 'XCI5';
/**
 * The head has five words: magic, length of the plain segment, number of its line feeds, bits per row, and 1 for a gap, after
 * which the line feeds are counted. Two numbers of eight bytes are the start and end of its output; the rows follow, then
 * those of the masked text if it differs, then a CRC of all.
 */
const HEAD_BYTES = 36;
const CHECK_BYTES = 4;

const ALL = -1;

export interface SegmentIndex {
  readonly count: LineCount;
  readonly rows: Buffer;
  /** Rows of the masked text, which is what redacted readers see; equal to `rows` when nothing is masked. */
  readonly maskedRows: Buffer;
  readonly width: number;
}

/** Reads the index of a segment; returns null when it is missing, damaged or of another version. */
export function readIndex(segmentPath: string): SegmentIndex | null {
  const bytes = fileOf(segmentPath);
  const end = bytes.length - CHECK_BYTES;
  if (end < HEAD_BYTES || bytes.toString('latin1', 0, 4) !== MAGIC) return null;
  const width = bytes.readUInt32LE(12);
  const count = {
    lines: bytes.readUInt32LE(8),
    hasGap: bytes.readUInt32LE(16) === 1,
    start: offsetIn(bytes, 20),
    end: offsetIn(bytes, 28),
  };
  const rest = bytes.subarray(HEAD_BYTES, end);
  const length = bytesFor(width);
  const isWhole = rest.length === length || rest.length === 2 * length;
  if (!isWhole || crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) return null;
  return { count, width, rows: rest.subarray(0, length), maskedRows: rest.subarray(-length) };
}

/** Returns a number of bytes, which is stored as NaN for a segment without output. */
function offsetIn(bytes: Buffer, at: number): number | null {
  const offset = bytes.readDoubleLE(at);
  return Number.isNaN(offset) ? null : offset;
}

/** Returns true when there is an index of this version; the rest of the file may be damaged. */
export function isIndexed(segmentPath: string): boolean {
  const magic = Buffer.alloc(MAGIC.length);
  try {
    withFile(indexPath(segmentPath), (file) => readSync(file, magic));
  } catch {
    return false;
  }
  return magic.toString('latin1') === MAGIC;
}

/** Returns the content of a segment's index file; empty when there is none for the segment's present size. */
function fileOf(segmentPath: string): Buffer {
  try {
    const bytes = readRegular(indexPath(segmentPath));
    return bytes.length >= HEAD_BYTES && bytes.readUInt32LE(4) === formOf(segmentPath).plainBytes
      ? bytes
      : Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

/**
 * Returns a bit for each block that may have a line with the needle; all bits when that is unknown. Redacted readers
 * search the masked text, since even whether a segment is read would reveal letters of a secret.
 */
export function blocksWithNeedle(
  index: SegmentIndex | null,
  needle: string | null,
  isRedacted: boolean,
): number {
  if (!index || needle === null || needle.length < LEAST_LETTERS) return ALL;
  return blocksWith(isRedacted ? index.maskedRows : index.rows, index.width, needle);
}

/** Returns the count of lines in a segment, from its index if there is one; null when the system cannot read it. */
export function linesOfSegment(path: string): LineCount | null {
  try {
    return readIndex(path)?.count ?? linesIn(path);
  } catch (error) {
    return nullWhenUnreadable(error);
  }
}

export interface IndexTask extends SegmentAround {
  /** The new file, which must not exist. */
  readonly to: string;
}

/**
 * Writes the index of a segment; returns false, and writes nothing, when the segment has too many blocks.
 * Neither the output of the segment nor that of the next one may change afterwards.
 */
export function writeIndex({ to, ...around }: IndexTask): boolean {
  const segment = segmentText(around.path, around.nextPath);
  const output = Buffer.from(segment.text, 'latin1');
  const blocks = lineBlocks(output, around.hasPrevious);
  if (blocks.length > MOST_BLOCKS) return false;
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, 'latin1');
  const width = widthFor(blocks.length);
  const { start, end, lines, hasGap } = linesIn(around.path);
  for (const [at, value] of [segment.plainBytes, lines, width, hasGap ? 1 : 0].entries())
    head.writeUInt32LE(value, 4 + 4 * at);
  head.writeDoubleLE(start ?? Number.NaN, 20);
  head.writeDoubleLE(end ?? Number.NaN, 28);
  const rows = signatureOf(segment, output, blocks).toBytes(width);
  const masked = maskedSignature(segment, previousText(around), blocks)?.toBytes(width) ?? Buffer.alloc(0);
  const bytes = Buffer.concat([head, rows, masked]);
  const check = Buffer.alloc(CHECK_BYTES);
  check.writeUInt32LE(crc32(bytes));
  writeFileSync(to, Buffer.concat([bytes, check]), { mode: 0o600, flag: 'wx' });
  return true;
}

function signatureOf(
  { text, gaps }: SegmentText,
  output: Buffer,
  blocks: readonly LineBlock[],
): SignatureWriter {
  const signature = new SignatureWriter();
  for (const [at, block] of blocks.entries()) {
    const { start, end } = block;
    const hasGap = gaps.some((gap) => gap > start && gap < end);
    if (!hasGap && signature.addRaw(at, output, start, end)) continue;
    const raw = text.slice(start, end);
    signature.add(at, plainView(textWithCuts(raw, start, cutsIn(gaps, block, raw)), true));
  }
  return signature;
}

/**
 * Returns the signature of the masked text; null when nothing is masked. The blocks are those of the unmasked text,
 * whose line feeds are never masked.
 */
function maskedSignature(
  segment: SegmentText,
  previous: Previous,
  blocks: readonly LineBlock[],
): SignatureWriter | null {
  const text = maskedText(segment, previous);
  const masked = blocks.map((block) => {
    const raw = text.slice(block.start, block.end);
    return maskedBlock(textWithCuts(raw, block.start, cutsIn(segment.gaps, block, raw)));
  });
  if (text === segment.text && !masked.some(({ hasSecrets }) => hasSecrets)) return null;
  const signature = new SignatureWriter();
  for (const [at, block] of masked.entries()) signature.add(at, block.text);
  return signature;
}
