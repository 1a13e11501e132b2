// Download output with its secrets masked, byte by byte, wherever chunks and pages split them.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { masked } from '../../../text/masking.ts';
import { screenSecrets } from '../../../text/screen-secrets.ts';
import type { Span } from '../../../text/secret-spans.ts';
import { SecretStreams } from '../../../text/secret-streams.ts';
import type { Earlier, Retained } from './retained-output.ts';

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });
/** Maps each byte to one character; browsers decode what they call Latin-1 as Windows-1252. */
const latin1 = (bytes: Uint8Array): string => utf16.decode(Uint16Array.from(bytes));
const STAR = 0x2a;
const SPACE = 0x20;

type Output = Extract<Retained, { kind: 'output' }>;

/** Masks the secrets; calls `onMasked` once for each page in which bytes were masked. */
export async function* withoutSecrets(
  pages: AsyncIterable<readonly (Retained | Earlier)[]>,
  onMasked: () => void,
): AsyncGenerator<readonly Retained[]> {
  const secrets = new SecretStreams();
  for await (const page of pages) {
    const events = page.map((each) => (each.kind === 'earlier' ? each.event : each));
    const shown = new Map<Retained, Retained>();
    for (const { isCut, outputs } of runsOf(events)) {
      if (isCut) secrets.cut();
      for (const stream of new Set(outputs.map((event) => event.stream))) {
        const own = outputs.filter((event) => event.stream === stream);
        for (const [event, bytes] of maskedOutputs(own, secrets)) shown.set(event, { ...event, bytes });
      }
    }
    for (const event of events) {
      if (event.kind !== 'screen') continue;
      const data = event.data.slice();
      if (mask(data, screenSecrets(latin1(data)))) shown.set(event, { ...event, data });
    }
    const inFile = page.filter((event) => event.kind !== 'earlier');
    if (inFile.some((event) => shown.has(event))) onMasked();
    yield inFile.map((event) => shown.get(event) ?? event);
  }
}

/** Returns the process info for the file, with secrets masked in every text. */
export const describedWithoutSecrets = (info: ProcessInfo): ProcessInfo =>
  JSON.parse(
    JSON.stringify(info, (_name, value: unknown) => (typeof value === 'string' ? masked(value) : value)),
  ) as ProcessInfo;

/** Output between two gaps. */
interface Run {
  /** True for output after a gap. */
  readonly isCut: boolean;
  readonly outputs: Output[];
}

function runsOf(events: readonly Retained[]): readonly Run[] {
  const runs: Run[] = [{ isCut: false, outputs: [] }];
  for (const event of events) {
    if (event.kind === 'gap') runs.push({ isCut: true, outputs: [] });
    else if (event.kind === 'output') runs.at(-1)?.outputs.push(event);
  }
  return runs;
}

/** Masks the events of one stream, which are searched together; returns those that changed, with their new bytes. */
function maskedOutputs(
  own: readonly Output[],
  secrets: SecretStreams,
): readonly (readonly [Output, Uint8Array])[] {
  const [first] = own;
  if (!first) return [];
  const all = new Uint8Array(own.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  const places = own.map((event) => {
    const start = at;
    all.set(event.bytes, start);
    at += event.bytes.length;
    return { event, start, end: at };
  });
  if (!mask(all, secrets.next(first.stream, first.seq, latin1(all)))) return [];
  return places
    .map(({ event, start, end }) => [event, all.subarray(start, end)] as const)
    .filter(([event, bytes]) => bytes.some((byte, place) => byte !== event.bytes[place]));
}

/** Replaces the spans with stars, except blanks and controls. Returns true when any byte changed. */
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
