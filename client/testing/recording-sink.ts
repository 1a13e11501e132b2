// A sink that records all calls; a test can decide when it draws.
import type { Output, OutputSink } from '../exec-client.ts';
import type { Size } from '../../protocol/scalars.ts';

export type Reported =
  | { readonly kind: 'output'; readonly output: Output; readonly size: Size | null }
  | { readonly kind: 'gap'; readonly afterSeq: number; readonly nextSeq: number; readonly bytes: number }
  | { readonly kind: 'exited' | 'closed' }
  | { readonly kind: 'reconnected'; readonly isJustNow: boolean }
  | { readonly kind: 'refused'; readonly code: number };

/** Decodes ASCII bytes. */
export const textOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** Encodes ASCII text. */
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

export class RecordingSink implements OutputSink {
  readonly reported: Reported[] = [];
  readonly sizes: Size[] = [];
  readonly #draw: (drawn: () => void, output: Output) => void;

  /** Creates a sink; `draw` is called with each output, and by default draws it immediately. */
  constructor(draw: (drawn: () => void, output: Output) => void = (drawn) => drawn()) {
    this.#draw = draw;
  }

  get text(): string {
    return this.reported.map((each) => (each.kind === 'output' ? textOf(each.output.bytes) : '')).join('');
  }

  get kinds(): string[] {
    return this.reported.map(({ kind }) => kind);
  }

  get missedBytes(): number {
    return this.reported.reduce((sum, each) => sum + (each.kind === 'gap' ? each.bytes : 0), 0);
  }

  output(output: Output, drawn: () => void): void {
    this.reported.push({ kind: 'output', output, size: this.sizes.at(-1) ?? null });
    this.#draw(drawn, output);
  }

  gap({ afterSeq, nextSeq, bytes }: { afterSeq: number; nextSeq: number; bytes: number }): void {
    this.reported.push({ kind: 'gap', afterSeq, nextSeq, bytes });
  }

  resized({ rows, cols }: Size): void {
    this.sizes.push({ rows, cols });
  }

  exited(): void {
    this.reported.push({ kind: 'exited' });
  }

  closed(): void {
    this.reported.push({ kind: 'closed' });
  }

  reconnected(isJustNow: boolean): void {
    this.reported.push({ kind: 'reconnected', isJustNow });
  }

  refused({ code }: { readonly code: number }): void {
    this.reported.push({ kind: 'refused', code });
  }
}
