// Results for a document: chart and table per measure, with date, machine and load.
import type { Measure, Options } from './rig/measure.ts';
import { MEASURES } from './measures.ts';
import { QUIET_SHARE, tableOf } from './report.ts';
import type { Round } from './run.ts';

/** Results as written by `--json`. */
export interface Results {
  readonly machine: {
    readonly cpus: number;
    readonly cpu?: string | undefined;
    readonly memoryMb: number;
    readonly kernel: string;
    readonly node: string;
  };
  readonly begun: { readonly atMs: number; readonly load: readonly number[] };
  readonly options: Options;
  readonly rounds: readonly Round[];
}

const BEGIN = '<!-- results: npm run bench:charts writes what is here -->';
const END = '<!-- results end -->';

/** Returns the page with the results of these measures replaced; other measures are unchanged. */
export function withResults(page: string, results: Results, folder: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for results: ${BEGIN} … ${END}`);
  const former = page.slice(begin + BEGIN.length, end).split(/^(?=### )/m);
  const parts = MEASURES.map(
    (measure) =>
      resultOf(measure, results, folder) ??
      former.find((part) => part.startsWith(`### ${measure.name}\n`))?.trim(),
  );
  const all = [page.slice(0, begin + BEGIN.length), ...parts.filter((part) => part !== undefined)];
  return [...all, page.slice(end)].join('\n\n');
}

/**
 * Returns one measure's result as Markdown, with its chart in `folder` next to the page; undefined if the
 * measure was not taken.
 */
function resultOf({ name, about }: Measure, results: Results, folder: string): string | undefined {
  const rounds = results.rounds.filter(({ measure }) => measure === name);
  if (rounds.length === 0) return undefined;
  const failures = failuresIn(rounds);
  const lines = [
    `### ${name}`,
    `${about}; ${howOften(rounds)}, ${whereTaken(results)}.${howBusy(rounds)}`,
    `![${name}: the figures of the table as bars](${folder}/${name}.svg)`,
    tableOf(rounds),
  ];
  return [...lines, ...(failures === '' ? [] : [failures])].join('\n\n');
}

function howOften(rounds: readonly Round[]): string {
  const count = Math.max(...rounds.map(({ round }) => round)) + 1;
  return count === 1 ? 'one round' : `medians of ${count} rounds`;
}

function whereTaken({ machine, begun, options }: Results): string {
  const { cpus, cpu = 'unknown', memoryMb, kernel, node } = machine;
  const day = new Date(begun.atMs).toISOString().slice(0, 10);
  return (
    `of up to ${options.operations} operations or ${options.seconds} s, ${day}, ` +
    `${cpus} × ${cpu}, ${Math.round(memoryMb / 1000)} GB, Linux ${kernel}, Node ${node}`
  );
}

function howBusy(rounds: readonly Round[]): string {
  const busy = rounds.filter((round) => round.busy > QUIET_SHARE).length;
  return busy === 0
    ? ''
    : ` Before ${busy} of ${rounds.length} takes something else kept the machine busy: do not rely on these figures.`;
}

function failuresIn(rounds: readonly Round[]): string {
  return rounds
    .flatMap(({ server, round, outcome }) =>
      'error' in outcome ? [`- ${server} failed in round ${round + 1}: ${outcome.error}`] : [],
    )
    .join('\n');
}
