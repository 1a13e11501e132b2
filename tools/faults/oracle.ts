// Checks a fault run: every byte arrives once and in order or is reported missing; every accepted write
// arrives once.
import type { ProcessEvent } from '../../client/own-process.ts';
import type { WriteOutcome } from '../../client/exec-client.ts';
import { countedText } from '../../text/amounts.ts';
import type { PlannedProcess, Who } from './plan.ts';
import { printed, type Report } from './printer.ts';

/** An event that a reader received. */
export type Given =
  | { readonly kind: 'output'; readonly seq: number; readonly stream: string; readonly bytes: Uint8Array }
  | {
      readonly kind: 'gap';
      readonly afterSeq: number;
      readonly nextSeq: number;
      readonly bytes: number | null;
    }
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'closed' };

export interface Written {
  readonly who: Who;
  readonly number: number;
  readonly record: string;
  /** `notSent`: rejected immediately, since there was no connection. */
  outcome: WriteOutcome | 'notSent' | null;
}

/** All observations of one process during the run. */
export interface Story {
  readonly planned: PlannedProcess;
  readonly isKilled: boolean;
  /** Bytes printed, as counted by the gateway. */
  readonly outputBytes: number;
  /** Events of the owner; null for a process in the console's session. */
  readonly owner: readonly Given[] | null;
  /** Events of the watcher; null without a watcher. */
  readonly watcher: readonly Given[] | null;
  readonly writes: readonly Written[];
  readonly interrupts: { readonly asked: number; readonly done: number };
  /** Report of the program; null if it wrote no report. */
  readonly report: Report | null;
}

export const fromOwner = (event: ProcessEvent): Given =>
  event.kind === 'gap' ? { ...event, bytes: null } : event;

/** Throws an error that describes a violated rule. */
export function judge(story: Story, { isTight }: { isTight: boolean }): void {
  const { planned, owner, watcher, outputBytes, isKilled } = story;
  if (!isKilled) demand(outputBytes === totalOf(planned), `printed ${outputBytes} bytes`);
  if (owner) {
    const gaps = owner.filter(({ kind }) => kind === 'gap').length;
    demand(isTight || gaps === 0, `the owner has ${countedText(gaps, 'gap')}`);
    judgeReader('the owner', owner, story);
  }
  if (watcher) {
    judgeReader('the watcher', watcher, story);
    if (owner) judgeTogether(owner, watcher);
  }
  judgeInput(story);
}

function judgeReader(who: string, given: readonly Given[], story: Story): void {
  const { planned, isKilled, outputBytes } = story;
  const exits = given.filter((each) => each.kind === 'exited');
  demand(exits.length === 1, `${who} received ${countedText(exits.length, 'exit')}`);
  const [exit] = exits;
  const codes = [planned.exitCode, ...(isKilled ? [137] : [])];
  // Perl removes its signal handlers as it exits, so a late interrupt ends it.
  if (!planned.readsStdin && story.interrupts.asked > 0) codes.push(130);
  demand(exit !== undefined && codes.includes(exit.exitCode), `${who} received exit code ${exit?.exitCode}`);
  demand(given.at(-1)?.kind === 'closed', `${who} received something after the end, or no end`);
  demand(given.filter(({ kind }) => kind === 'closed').length === 1, `${who} received several ends`);
  judgeOrder(who, given);
  const got = sum(given.map((each) => (each.kind === 'output' ? each.bytes.length : 0)));
  const gaps = given.filter((each) => each.kind === 'gap');
  const missed = sum(gaps.map(({ bytes }) => bytes ?? 0));
  // Owners are notified of gaps, but not of their size.
  const isCounted = gaps.every(({ bytes }) => bytes !== null);
  demand(
    isCounted ? got + missed === outputBytes : got < outputBytes,
    `${who} received ${got} bytes, and ${missed} are missing, of ${outputBytes}`,
  );
  for (const stream of ['stdout', 'stderr', 'pty']) {
    const all = printed(stream, totalOf(planned, stream));
    judgeContent(`${stream} of ${who}`, runsOf(given, stream), all);
  }
}

function judgeOrder(who: string, given: readonly Given[]): void {
  let last = 0;
  for (const each of given) {
    if (each.kind === 'output') {
      demand(each.seq > last, `${who} received seq ${each.seq} after ${last}`);
      last = each.seq;
    } else if (each.kind === 'gap') {
      demand(each.afterSeq >= last && each.nextSeq > last, `${who} received a gap before ${last}`);
      demand(each.bytes !== 0, `${who} received an empty gap`);
      last = each.nextSeq - 1;
    }
  }
}

/** Returns the contiguous runs of bytes of a stream, split at gaps. */
function runsOf(given: readonly Given[], stream: string): Buffer[] {
  const runs: Buffer[][] = [[]];
  for (const each of given) {
    if (each.kind === 'gap') runs.push([]);
    else if (each.kind === 'output' && each.stream === stream) runs.at(-1)?.push(Buffer.from(each.bytes));
  }
  return runs.map((run) => Buffer.concat(run));
}

/**
 * Requires that the content begins with the first run of bytes, and that each other run occurs after the previous
 * one.
 */
function judgeContent(what: string, runs: readonly Buffer[], all: Buffer): void {
  let at = 0;
  for (const [n, run] of runs.entries()) {
    if (run.length === 0) continue;
    const found = n > 0 ? all.indexOf(run, at) : all.subarray(0, run.length).equals(run) ? 0 : -1;
    demand(found >= 0, `${what}: ${run.length} bytes that are not what was printed from ${at} on`);
    at = found + run.length;
  }
}

/**
 * Requires the same bytes in every output event that both readers received. If the owner has no gaps, it must have
 * received every output event of the watcher, and the sizes of the watcher's gaps must be right.
 */
function judgeTogether(owner: readonly Given[], watcher: readonly Given[]): void {
  const chunks = new Map<number, Uint8Array>();
  for (const each of owner) if (each.kind === 'output') chunks.set(each.seq, each.bytes);
  const isWhole = owner.every(({ kind }) => kind !== 'gap');
  for (const each of watcher) {
    if (each.kind === 'output') {
      const same = chunks.get(each.seq);
      demand(!isWhole || same !== undefined, `the owner did not receive seq ${each.seq}`);
      demand(!same || Buffer.compare(same, each.bytes) === 0, `seq ${each.seq} is not the same for both`);
    } else if (each.kind === 'gap' && isWhole) {
      let bytes = 0;
      for (let seq = each.afterSeq + 1; seq < each.nextSeq; seq += 1) bytes += chunks.get(seq)?.length ?? 0;
      demand(bytes === each.bytes, `a gap of ${bytes} bytes was reported as ${each.bytes}`);
    }
  }
}

function judgeInput({ planned, isKilled, writes, interrupts, report }: Story): void {
  if (!report) {
    demand(isKilled || !planned.readsStdin, 'there is no report');
    return;
  }
  // A program that reads its stdin runs until all planned actions are done.
  const leastInterrupts = planned.readsStdin && interrupts.done > 0 ? 1 : 0;
  demand(report.interrupts >= leastInterrupts, `no interrupt of ${interrupts.done} has arrived`);
  demand(report.interrupts <= interrupts.asked, `${report.interrupts} interrupts of ${interrupts.asked}`);
  const arrived = recordsIn(report.input);
  for (const write of writes) {
    const count = arrived.filter((record) => record === write.record).length;
    const [least, most] =
      write.outcome === 'accepted' ? [isKilled ? 0 : 1, 1] : write.outcome === 'notSent' ? [0, 0] : [0, 1];
    demand(
      count >= least && count <= most,
      `write ${write.number} of the ${write.who} (${write.outcome}) arrived ${countedText(count, 'time')}`,
    );
  }
  for (const who of ['owner', 'watcher'] as const) {
    const accepted = writes.filter((write) => write.who === who && write.outcome === 'accepted');
    const order = accepted.map(({ record }) => arrived.indexOf(record)).filter((at) => at >= 0);
    demand(isAscending(order), `input of the ${who} arrived in another order`);
  }
  demand(
    arrived.every((record) => writes.some((write) => write.record === record)),
    'input arrived that was never written',
  );
}

/** Returns a record with a length prefix, so that no record can hide in another. */
export function recordOf(who: Who, number: number, bytes: number): string {
  const content = `${who}${number}.`.repeat(Math.ceil(bytes / 6)).slice(0, bytes);
  return `<${who}:${number}:${content.length}:${content}>`;
}

function recordsIn(input: string): string[] {
  const records: string[] = [];
  for (let at = 0; at < input.length;) {
    const head = /^<\w+:\d+:(\d+):/.exec(input.slice(at, at + 40));
    if (!head) throw new Error(`at byte ${at} of the input: ${JSON.stringify(input.slice(at, at + 60))}`);
    const end = at + head[0].length + Number(head[1]) + 1;
    records.push(input.slice(at, end));
    at = end;
  }
  return records;
}

/** Returns the number of bytes that a process prints if nothing stops it, on all streams or on one. */
const totalOf = ({ steps, tty }: PlannedProcess, stream?: string): number =>
  sum(
    steps.map((step) => {
      if (step.kind !== 'print') return 0;
      return stream === undefined || stream === (tty ? 'pty' : step.stream) ? step.bytes : 0;
    }),
  );

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((each, at) => at === 0 || each > (numbers[at - 1] ?? 0));

function demand(isTrue: boolean, complaint: string): asserts isTrue {
  if (!isTrue) throw new Error(complaint);
}
