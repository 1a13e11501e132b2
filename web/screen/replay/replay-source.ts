// Recording of one process as a replay reads it: marks, times, screens, and output after an event.
import { readPage } from '../../../client/wire.ts';
import type { Connection } from '../../../client/exec-client.ts';
import type { MomentResult, RecordingResult } from '../../../protocol/replay.ts';
import type { Size } from '../../../protocol/scalars.ts';

/** Decoded bytes per page of output. */
const PAGE_BYTES = 128 * 1024;

/** A chunk of output, and the terminal size for it; the size is null without a tty. */
export interface Frame {
  readonly atMs: number;
  readonly bytes: Uint8Array;
  readonly size: Size | null;
  readonly seq: number;
  /** Number of bytes missing between the previous frame and this one. */
  readonly missedBytes: number;
}

export class ReplaySource {
  readonly #connection: Pick<Connection, 'request'>;
  readonly #key: string;

  constructor(connection: Pick<Connection, 'request'>, key: string) {
    this.#connection = connection;
    this.#key = key;
  }

  recording(): Promise<RecordingResult> {
    return this.#connection.request('process/recording', { key: this.#key });
  }

  moment(atMs: number): Promise<MomentResult> {
    return this.#connection.request('process/moment', {
      key: this.#key,
      atMs: Math.max(0, Math.floor(atMs)),
    });
  }

  /** Returns about one page of output after an event; empty at the end of the recording. */
  async after(seq: number): Promise<readonly Frame[]> {
    const params = { key: this.#key, afterSeq: seq, maxBytes: PAGE_BYTES, recorded: true };
    const page = readPage(await this.#connection.request('process/read', params));
    if (!page) throw new Error('the gateway sent a malformed response');
    let missedBytes = page.missedBytes;
    return page.chunks.map(({ seq: own, bytes, atMs }) => {
      const size = page.sizes.findLast(({ afterSeq }) => afterSeq < own) ?? null;
      const frame = { atMs: atMs ?? 0, bytes, seq: own, size, missedBytes };
      missedBytes = 0;
      return frame;
    });
  }
}
