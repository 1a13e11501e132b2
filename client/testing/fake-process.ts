// A process of the fake gateway: retains all events, but serves only a window of them.
import { processInfo } from '../../protocol/testing/process-info.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';

export type FakeEvent =
  | { readonly kind: 'output'; readonly stream: Stream; readonly bytes: Uint8Array }
  | { readonly kind: 'exited' }
  | { readonly kind: 'closed' };

export class FakeProcess {
  readonly key: string;
  readonly processId: string;
  readonly #windowBytes: number;
  /** Events; seq n is at index n - 1. */
  readonly events: FakeEvent[] = [];
  readonly sizes: { readonly afterSeq: number; readonly size: Size }[] = [];
  readonly stdin: string[] = [];
  /** Number of decoded bytes before the event at the same index; the last entry is the total. */
  readonly #offsets = [0];
  readonly #writeIds = new Set<string>();
  firstSeq = 1;
  controller: string | null = null;
  tty = true;
  stdinClosed = false;
  /** Info members that override or extend those derived from the events. */
  facts: Partial<ProcessInfo> = {};
  /** Called after every new event and size. */
  changed: () => void = () => undefined;

  constructor(key: string, processId: string, windowBytes: number) {
    this.key = key;
    this.processId = processId;
    this.#windowBytes = windowBytes;
  }

  get nextSeq(): number {
    return this.events.length + 1;
  }

  get exitedSeq(): number | null {
    return this.#seqOf('exited');
  }

  get closedSeq(): number | null {
    return this.#seqOf('closed');
  }

  output(bytes: Uint8Array, stream: Stream = 'pty'): void {
    this.#add({ kind: 'output', stream, bytes });
  }

  exit(): void {
    this.#add({ kind: 'exited' });
  }

  close(): void {
    this.#add({ kind: 'closed' });
  }

  resize(size: Size): void {
    const afterSeq = this.nextSeq - 1;
    if (this.sizes.at(-1)?.afterSeq === afterSeq) this.sizes.pop();
    this.sizes.push({ afterSeq, size });
    this.changed();
  }

  write(writer: string, writeId: string, text: string): void {
    const id = `${writer} ${writeId}`;
    if (this.#writeIds.has(id)) return;
    this.#writeIds.add(id);
    this.stdin.push(text);
  }

  at(seq: number): FakeEvent | undefined {
    return this.events[seq - 1];
  }

  /** Returns the number of decoded bytes of the events above `afterSeq` and below `nextSeq`. */
  bytesBetween(afterSeq: number, nextSeq: number): number {
    return (this.#offsets[nextSeq - 1] ?? 0) - (this.#offsets[afterSeq] ?? 0);
  }

  allBytes(): Uint8Array {
    return Uint8Array.from(this.events.flatMap((event) => (event.kind === 'output' ? [...event.bytes] : [])));
  }

  sizeAt(seq: number) {
    return this.sizes.findLast(({ afterSeq }) => afterSeq < seq);
  }

  info(): ProcessInfo {
    return processInfo({
      key: this.key,
      processId: this.processId,
      tty: this.tty,
      size: this.sizes.at(-1)?.size ?? null,
      state: this.closedSeq ? 'closed' : this.exitedSeq ? 'exited' : 'running',
      exitCode: this.exitedSeq ? 7 : null,
      startedAtMs: 1,
      nextSeq: this.nextSeq,
      firstRetainedSeq: this.firstSeq,
      controller: this.controller,
      ...this.facts,
    });
  }

  #seqOf(kind: FakeEvent['kind']): number | null {
    const index = this.events.findIndex((event) => event.kind === kind);
    return index < 0 ? null : index + 1;
  }

  #add(event: FakeEvent): void {
    this.events.push(event);
    this.#offsets.push((this.#offsets.at(-1) ?? 0) + sizeOf(event));
    while (this.bytesBetween(this.firstSeq - 1, this.nextSeq) > this.#windowBytes) this.firstSeq += 1;
    this.changed();
  }
}

const sizeOf = (event: FakeEvent): number => (event.kind === 'output' ? event.bytes.length : 0);
