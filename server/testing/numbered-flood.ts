// A flood of numbered lines, and everything that a client received about a process, checked byte by byte.
import { createHash } from 'node:crypto';
import type { OwnProcess } from '../../client/own-process.ts';
import { countedText } from '../../text/amounts.ts';

/** Returns a command that prints numbered lines until `stopFile` exists, and finally their count. */
export const floodCommand = (stopFile: string, code: number, pauseMs: number): string[] => [
  'sh',
  '-c',
  `stty raw -echo 2>/dev/null; exec perl -e '$| = 1; my $n = 0; until (-e $ARGV[0]) { print $n++, " ", "x" x 40, "\\n" for 1..50; ` +
    `select undef, undef, undef, ${pauseMs / 1000} } print "end $n\\n"; exit ${code}' '${stopFile}'`,
];

/** Returns the first bytes that an endless `floodCommand` prints. */
export function numberedLines(bytes: number): string {
  let text = '';
  for (let line = 0; text.length < bytes; line += 1) text += `${line} ${'x'.repeat(40)}\n`;
  return text.slice(0, bytes);
}

export interface Reported {
  readonly sha: string;
  readonly bytes: number;
  /** Last 40 bytes of the output, as Latin-1. */
  readonly tail: string;
  readonly exitCode: number | null;
  /** Gaps as JSON, each with the time at which it was received. */
  readonly gaps: readonly string[];
  /** First expected seq that did not arrive in order; null if all did. */
  readonly brokenAt: number | null;
}

/** Resolves at the end of the process with what the client received about it. */
export async function storyOf(process: OwnProcess): Promise<Reported> {
  const hash = createHash('sha256');
  const reported = {
    bytes: 0,
    exitCode: null as number | null,
    gaps: [] as string[],
    brokenAt: null as number | null,
  };
  let tail = '';
  let next = 1;
  for await (const event of process.events()) {
    if (event.kind === 'gap') reported.gaps.push(`${new Date().toISOString()} ${JSON.stringify(event)}`);
    else if (event.kind === 'exited') reported.exitCode = event.exitCode;
    else if (event.kind === 'output') {
      hash.update(event.bytes);
      reported.bytes += event.bytes.length;
      tail = (tail + Buffer.from(event.bytes).toString('latin1')).slice(-40);
    }
    if (!('seq' in event)) continue;
    if (event.seq !== next) reported.brokenAt ??= next;
    next = event.seq + 1;
  }
  return { ...reported, sha: hash.digest('hex'), tail };
}

/** Throws unless each event arrived once, and the process exited with `code`. */
export function judge(who: string, reported: Reported | undefined, code: number): Reported {
  if (!reported) throw new Error(`${who}: no report arrived`);
  const { exitCode, gaps, brokenAt } = reported;
  if (exitCode !== code) throw new Error(`${who}: exit code ${exitCode} instead of ${code}`);
  if (gaps.length > 0) throw new Error(`${who}: ${countedText(gaps.length, 'gap')}: ${gaps.join(', ')}`);
  if (brokenAt !== null) throw new Error(`${who}: event ${brokenAt} is missing or repeated`);
  return reported;
}

/** Throws unless each byte of `floodCommand` arrived once and in order. */
export function judgeFlood(who: string, reported: Reported | undefined, code: number): void {
  const { tail, sha: given, bytes } = judge(who, reported, code);
  const lines = Number(/end (\d+)\n$/.exec(tail)?.[1] ?? Number.NaN);
  const hash = createHash('sha256');
  for (let line = 0; line < lines; line += 1) hash.update(`${line} ${'x'.repeat(40)}\n`);
  if (hash.update(`end ${lines}\n`).digest('hex') !== given)
    throw new Error(`${who}: the ${bytes} bytes received are not the ${lines} lines, each once and in order`);
}
