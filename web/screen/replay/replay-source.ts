// The recording of one process as its replay reads it: marks and times, screens, and output from an event on.
import { readPage } from '../../../client/wire.ts';
import type { Connection } from '../../../client/exec-client.ts';
import type { MomentResult, RecordingResult } from '../../../protocol/replay.ts';
import type { Size } from '../../../protocol/scalars.ts';

/** Decoded bytes of one page of output. */
const PAGE_BYTES = 128 * 1024;

/** Output that was printed at one time, and the size that the terminal had for it; null without a tty. */
export interface Frame {
  readonly atMs: number;
  readonly bytes: Uint8Array;
  readonly size: Size | null;
  readonly seq: number;
  /** Bytes before it that are not kept. */
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

  /** The output after an event, about a page of it; none at the end of what is recorded. */
  async after(seq: number): Promise<readonly Frame[]> {
    const params = { key: this.#key, afterSeq: seq, maxBytes: PAGE_BYTES, recorded: true };
    const page = readPage(await this.#connection.request('process/read', params));
    if (!page) throw new Error('the gateway’s answer makes no sense');
    let missedBytes = page.missedBytes;
    return page.chunks.map(({ seq: own, bytes, atMs }) => {
      const size = page.sizes.findLast(({ afterSeq }) => afterSeq < own) ?? null;
      const frame = { atMs: atMs ?? 0, bytes, seq: own, size, missedBytes };
      missedBytes = 0;
      return frame;
    });
  }
}
