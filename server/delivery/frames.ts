// Builds complete event messages: output as bytes, all other events as text.
import type { SizeMark } from '../../protocol/console.ts';
import type { LogEvent } from '../keeper/log-event.ts';
import { frameBuffer } from './frame-buffers.ts';

export interface Gap {
  readonly kind: 'gap';
  readonly afterSeq: number;
  readonly nextSeq: number;
  /** Decoded bytes, across all streams, that are not sent to this reader. */
  readonly bytes: number;
}
interface Resized {
  readonly kind: 'resized';
  readonly mark: SizeMark;
}
export type Step = LogEvent | Gap | Resized;

/** Names of the process in a follower's messages: `processId`, and also `key` for one that attached by key. */
export interface FrameHead {
  readonly processId: string;
  readonly key?: string;
}

/** Builds the messages of one follower of one process; `of` returns null for a step that is not sent. */
export interface EventFrames {
  of(step: Step): string | Buffer | null;
}

/** Builds the messages of the current dialect. */
export class Frames implements EventFrames {
  readonly #address: string;
  /** Beginning of an output message, up to its seq. */
  readonly #outputHead: string;
  /** True for attachments by key, whose output messages contain `atMs`; clients of the reference do not support it. */
  readonly #hasTimes: boolean;

  constructor(head: FrameHead) {
    this.#hasTimes = head.key !== undefined;
    const address = JSON.stringify(head.key === undefined ? { processId: head.processId } : head);
    this.#address = address.slice(1, -1);
    this.#outputHead = `{"method":"process/output","params":{${this.#address},"seq":`;
  }

  of(step: Step): string | Buffer {
    switch (step.kind) {
      case 'output':
        return this.#output(step);
      case 'exited':
        return this.#message(
          'process/exited',
          `"seq":${step.seq},"exitCode":${step.exitCode},"sandboxDenied":${step.sandboxDenied}`,
        );
      case 'closed':
        return this.#message('process/closed', `"seq":${step.seq}`);
      case 'gap':
        return this.#message(
          'process/gap',
          `"afterSeq":${step.afterSeq},"nextSeq":${step.nextSeq},"bytes":${step.bytes}`,
        );
      case 'resized':
        return this.#message(
          'process/resized',
          `"afterSeq":${step.mark.afterSeq},"rows":${step.mark.rows},"cols":${step.mark.cols}`,
        );
    }
  }

  #message(method: string, members: string): string {
    return `{"method":"${method}","params":{${this.#address},${members}}}`;
  }

  #output(event: LogEvent & { kind: 'output' }): Buffer {
    const time = this.#hasTimes ? `"atMs":${event.atMs},` : '';
    return outputFrame(
      `${this.#outputHead}${event.seq},"stream":"${event.stream}",${time}"chunk":"`,
      event.bytes,
    );
  }
}

/**
 * Returns a whole message in one Buffer, which is fast in a flood; `head`: the message up to the base64, which is the
 * last member of params.
 */
export function outputFrame(head: string, bytes: Buffer): Buffer {
  const encodedBytes = Math.ceil(bytes.length / 3) * 4;
  const headBytes = Buffer.byteLength(head);
  const frame = frameBuffer(headBytes + encodedBytes + 3);
  frame.write(head, 0, 'utf8');
  frame.write(bytes.toString('base64'), headBytes, 'latin1');
  frame.write('"}}', headBytes + encodedBytes, 'latin1');
  return frame;
}
