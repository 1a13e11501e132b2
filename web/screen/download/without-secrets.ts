// Download output with its secrets masked, byte by byte, wherever chunks and pages split them.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { findSecrets, masked, SecretStream, type Span } from '../../../text/masking.ts';
import type { Stream } from '../../../protocol/process.ts';
import type { Retained } from './retained-output.ts';

/** Latin-1 maps each byte to one character. */
const latin1 = new TextDecoder('latin1');
const STAR = 0x2a;
const SPACE = 0x20;

/** Masks the secrets; calls `onMasked` at least once for each page that contains any. */
export async function* withoutSecrets(
  pages: AsyncIterable<readonly Retained[]>,
  onMasked: () => void,
): AsyncGenerator<readonly Retained[]> {
  const streams = new Map<Stream, SecretStream>();
  for await (const page of pages) {
    const shown = new Map<Stream, Uint8Array>();
    for (const stream of new Set(page.map((event) => (event.kind === 'output' ? event.stream : null)))) {
      if (stream === null) continue;
      const bytes = joined(page, stream);
      const secrets = streams.get(stream) ?? new SecretStream();
      streams.set(stream, secrets);
      if (mask(bytes, secrets.next(latin1.decode(bytes)))) onMasked();
      shown.set(stream, bytes);
    }
    yield page.map((event) => {
      if (event.kind === 'output') return { ...event, bytes: taken(shown, event) };
      if (event.kind !== 'screen') return event;
      const data = event.data.slice();
      if (mask(data, findSecrets(latin1.decode(data)).spans)) onMasked();
      return { ...event, data };
    });
  }
}

/** Returns the process info for the file, with secrets masked. */
export const describedWithoutSecrets = (info: ProcessInfo): ProcessInfo => ({
  ...info,
  argv: info.argv.map(masked),
});

type Output = Extract<Retained, { kind: 'output' }>;

function joined(page: readonly Retained[], stream: Stream): Uint8Array {
  const own = page.filter((event): event is Output => event.kind === 'output' && event.stream === stream);
  const all = new Uint8Array(own.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of own) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}

/** Returns the next bytes of the event's stream. */
function taken(shown: Map<Stream, Uint8Array>, { stream, bytes: { length } }: Output): Uint8Array {
  const all = shown.get(stream) ?? new Uint8Array(length);
  shown.set(stream, all.subarray(length));
  return all.subarray(0, length);
}

/** Replaces the spans with stars. Returns true when any byte changed. */
function mask(bytes: Uint8Array, spans: readonly Span[]): boolean {
  let isChanged = false;
  for (const { start, end } of spans) {
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? STAR;
      if (byte <= SPACE || byte === STAR) continue;
      bytes[at] = STAR;
      isChanged = true;
    }
  }
  return isChanged;
}
