// Outline of a catalogue entry: the members that the limits of recordings need. It is read from both ends of the line,
// because parsing 100,000 whole entries occupies the gateway for more than a second.
import { isProcessKey } from '../../protocol/process-key.ts';
import { decodeMeta, type StoredMeta } from './stored-meta.ts';

export interface Outline extends Pick<StoredMeta, 'endedAtMs' | 'recordedBytes'> {
  readonly key: string;
}

/** Text within a value has its quotes escaped, so neither expression can match inside one. */
const BEGIN = /^\{"version":1,"info":\{"key":"([^"]+)",/;
const END = /,"endedAtMs":(\d{1,16}),"recordedBytes":(\d{1,16}) *,"lostBytes":\d+\}\n?$/;
/** Number of bytes at each end of a line that are searched with the expression for that end. */
const END_BYTES = 128;

/** Returns the outline of a line; null for a damaged line. Damage between the two ends is not detected. */
export function outlineOf(line: Buffer): Outline | null {
  const [, key] = BEGIN.exec(line.toString('latin1', 0, END_BYTES)) ?? [];
  const [, ended, bytes] = END.exec(line.toString('latin1', Math.max(0, line.length - END_BYTES))) ?? [];
  if (key !== undefined && isProcessKey(key) && ended !== undefined && bytes !== undefined)
    return { key, endedAtMs: Number(ended), recordedBytes: Number(bytes) };
  // An entry of another version may have its members in another order.
  const meta = decodeMeta(line.toString());
  return meta && { key: meta.info.key, endedAtMs: meta.endedAtMs, recordedBytes: meta.recordedBytes };
}
