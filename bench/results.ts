// The results for a document: the machine, how quiet it was, and of each measure the picture and the table.
import type { Options } from './measure.ts';
import { MEASURES } from './measures.ts';
import { QUIET_SHARE, tableOf } from './report.ts';
import type { Round } from './run.ts';

/** What `--json` writes. */
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

/** The page with these results in place of those that were there. */
export function withResults(page: string, results: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for results: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${results}\n\n${page.slice(end)}`;
}

/** Markdown; the pictures lie in `folder` beside the page. */
export function resultsOf({ machine, begun, options, rounds }: Results, folder: string): string {
  const { cpus, cpu = 'unknown', memoryMb, kernel, node } = machine;
  const day = new Date(begun.atMs).toISOString().slice(0, 10);
  const parts = MEASURES.flatMap(({ name, about }) => {
    const own = rounds.filter(({ measure }) => measure === name);
    if (own.length === 0) return [];
    const failures = failuresIn(own);
    const lines = [
      `### ${name}`,
      `${about}; ${howOften(own)}.`,
      `![${name}: the figures of the table as bars](${folder}/${name}.svg)`,
    ];
    return [...lines, tableOf(own), ...(failures === '' ? [] : [failures])];
  });
  const head =
    `Taken on ${day}: ${cpus} × ${cpu}, ${Math.round(memoryMb / 1000)} GB, Linux ${kernel}, Node ${node}; ` +
    `${options.operations} operations behind each p50 and p99, or as many as ${options.seconds} s allowed. ` +
    `${quietness(rounds)}${notTaken(rounds)}`;
  return [head, ...parts].join('\n\n');
}

function howOften(rounds: readonly Round[]): string {
  const count = Math.max(...rounds.map(({ round }) => round)) + 1;
  return count === 1 ? 'one round' : `medians of ${count} rounds`;
}

function notTaken(rounds: readonly Round[]): string {
  const names = MEASURES.map(({ name }) => name).filter(
    (name) => !rounds.some(({ measure }) => measure === name),
  );
  return names.length === 0 ? '' : ` Not taken this time: ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

function quietness(rounds: readonly Round[]): string {
  const busy = rounds.filter((round) => round.busy > QUIET_SHARE).length;
  return busy === 0
    ? 'Before none of them anything else kept the machine busy.'
    : `Before ${busy} of ${rounds.length} of them something else kept the machine busy: do not rely on these figures.`;
}

function failuresIn(rounds: readonly Round[]): string {
  return rounds
    .flatMap(({ server, round, outcome }) =>
      'error' in outcome ? [`- ${server} failed in round ${round + 1}: ${outcome.error}`] : [],
    )
    .join('\n');
}
