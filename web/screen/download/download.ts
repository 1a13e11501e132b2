// Output of a process as a file: raw bytes, plain text, HTML, or an asciicast.
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Connection } from '../../../client/exec-client.ts';
import { pagePalette } from '../log/palette.ts';
import { dateTimeText } from '../../../text/amounts.ts';
import { commandLine, shortCommand } from '../../../text/command-line.ts';
import { statusText } from '../../../text/process-words.ts';
import { readAsCast } from './cast-writer.ts';
import type { MaskedFile, DownloadKind, DownloadRange } from '../../state/page/masked-store.ts';
import { readAsLog } from './log-reading.ts';
import { saveBlob } from './save-blob.ts';
import { inFile, retainedOutput, type Earlier, type Retained } from './retained-output.ts';
import { outputWithin } from './range-output.ts';
import { withScreens } from './retained-screen.ts';
import { htmlWriter, textWriter } from './text-writer.ts';
import { visible } from '../../../text/visible.ts';
import { describedWithoutSecrets, withoutSecrets } from './without-secrets.ts';
import { headOf } from '../../../text/cut.ts';

const MOST_NAME_CHARACTERS = 40;
const USUAL_SIZE = { rows: 24, cols: 80 };

type Wanted = MaskedFile & { readonly secrets: 'masked' | 'shown' };

interface Source {
  readonly info: ProcessInfo;
  readonly pages: AsyncIterable<readonly Retained[]>;
}

/**
 * Reads the output and saves it through the browser. Returns true when secrets in the file or its name were masked.
 * Rejects, without a file, when the output cannot be read.
 */
export async function download(
  connection: Connection,
  { info: whole, kind, range, secrets }: Wanted,
): Promise<boolean> {
  const pages = range
    ? outputWithin(connection, { info: whole, kind, range, secrets })
    : pagesOf(connection, whole, kind);
  const info = range ? infoWithin(whole, range) : whole;
  const shown = secrets === 'shown' ? info : describedWithoutSecrets(info);
  let isMasked = textsOf(shown, kind) !== textsOf(info, kind);
  const source: Source = {
    info: shown,
    pages: secrets === 'shown' ? inFile(pages) : withoutSecrets(pages, () => (isMasked = true)),
  };
  saveBlob(await blobOf(source, kind), fileName(shown, kind));
  return isMasked;
}

/** Returns the texts about the process in the file and its name. */
function textsOf(info: ProcessInfo, kind: DownloadKind): string {
  const { title, facts } = described(info);
  const inside = { raw: [], text: [], html: [title, facts], cast: [title] };
  return [fileName(info, kind), ...inside[kind]].join('\n');
}

function blobOf(source: Source, kind: DownloadKind): Promise<Blob> {
  if (kind === 'raw') return rawBlob(source);
  return kind === 'cast' ? castBlob(source) : writtenBlob(source, kind);
}

/** Each page becomes a blob immediately, which the browser may store on disk, so that only one page is in memory. */
async function rawBlob({ pages }: Source): Promise<Blob> {
  const parts: Blob[] = [];
  for await (const page of pages) {
    const pieces = page.flatMap((event) => (event.kind === 'output' ? [new Uint8Array(event.bytes)] : []));
    parts.push(new Blob(pieces));
  }
  return new Blob(parts, { type: 'application/octet-stream' });
}

async function writtenBlob(source: Source, kind: 'text' | 'html'): Promise<Blob> {
  const writer = kind === 'text' ? textWriter : htmlWriter(described(source.info), pagePalette());
  const parts: Blob[] = [new Blob([writer.head()])];
  let isFirst = true;
  for await (const lines of linesOf(source)) {
    parts.push(new Blob([lines.map((line, at) => writer.line(line, isFirst && at === 0)).join('')]));
    if (lines.length > 0) isFirst = false;
  }
  parts.push(new Blob([writer.tail()]));
  return new Blob(parts, { type: TYPES[kind] });
}

async function castBlob({ info, pages }: Source): Promise<Blob> {
  const parts: Blob[] = [];
  for await (const lines of readAsCast(pages, info)) parts.push(new Blob([lines]));
  return new Blob(parts, { type: 'application/x-asciicast' });
}

function pagesOf(
  connection: Connection,
  { key, tty }: ProcessInfo,
  kind: DownloadKind,
): AsyncIterable<readonly (Retained | Earlier)[]> {
  const pages = retainedOutput(connection, key);
  // Pipe output and raw bytes need no initial screen.
  return tty && kind !== 'raw' ? withScreens(connection, key, pages) : pages;
}

/** Process info for a time range: the start is not before the range, and an exit after the range is omitted. */
const infoWithin = (info: ProcessInfo, { fromMs, toMs }: DownloadRange): ProcessInfo => ({
  ...info,
  startedAtMs: Math.max(info.startedAtMs, fromMs),
  ...(toMs < (info.exitedAtMs ?? 0) && { exitCode: null, signal: null }),
});

async function* linesOf({ info, pages }: Source) {
  if (!info.tty) {
    yield* readAsLog(pages);
    return;
  }
  const { readAsTerminal } = await import('./terminal-reading.ts');
  yield* readAsTerminal(pages, info.size ?? USUAL_SIZE);
}

const TYPES = { text: 'text/plain;charset=utf-8', html: 'text/html;charset=utf-8' } as const;
const EXTENSIONS: { readonly [kind in DownloadKind]: string } = {
  raw: 'raw',
  text: 'txt',
  html: 'html',
  cast: 'cast',
};

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns a name such as `npm-test-2026-11-21-201403.txt`: the command, and the start of the process or the range. */
export function fileName(
  { argv, startedAtMs }: Pick<ProcessInfo, 'argv' | 'startedAtMs'>,
  kind: DownloadKind,
): string {
  const words = shortCommand(argv).replace(/[^\p{L}\p{N}._]+/gu, '-');
  const command = headOf(words, MOST_NAME_CHARACTERS).replace(/^[-.]+|[-.]+$/g, '');
  const date = new Date(startedAtMs);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('');
  return `${command || 'process'}-${day}-${time}.${EXTENSIONS[kind]}`;
}

function described(info: ProcessInfo): { readonly title: string; readonly facts: string } {
  const facts = [visible(info.cwd), `started ${dateTimeText(info.startedAtMs)}`, statusText(info)];
  return { title: commandLine(info.argv), facts: facts.join(' · ') };
}
