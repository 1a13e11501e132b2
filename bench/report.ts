// Computes the medians of the rounds, and formats the printed table.
import type { Round } from './run.ts';
import { median } from './rig/statistics.ts';

/** CPU share of other programs above which results mean little. */
export const QUIET_SHARE = 0.2;

export interface Row {
  readonly figure: string;
  /** Values of the rounds, by server. */
  readonly rounds: ReadonlyMap<string, readonly number[]>;
  /** Median of the rounds, by server; NaN without values. */
  readonly medians: ReadonlyMap<string, number>;
}

/** Returns the figures of one measure, in the order in which they were first reported. */
export function rowsOf(rounds: readonly Round[]): Row[] {
  const servers = serversOf(rounds);
  const reported = rounds.flatMap(({ server, outcome }) =>
    'figures' in outcome ? [{ server, outcome }] : [],
  );
  const names = new Set(reported.flatMap(({ outcome }) => Object.keys(outcome.figures)));
  const valuesOf = (figure: string, server: string): number[] =>
    reported.flatMap(({ server: name, outcome }) => {
      const value = outcome.figures[figure];
      return name === server && value !== undefined ? [value] : [];
    });
  return [...names].map((figure) => {
    const rounds = new Map(servers.map((server) => [server, valuesOf(figure, server)]));
    return {
      figure,
      rounds,
      medians: new Map([...rounds].map(([server, values]) => [server, median(values)])),
    };
  });
}

/** Returns an aligned Markdown table, readable in a terminal and usable in a document. */
export function tableOf(rounds: readonly Round[]): string {
  const servers = serversOf(rounds);
  const [first = '', ...others] = servers;
  const head = ['', ...servers, ...others.map((other) => `${first} ÷ ${other}`)];
  const lines = rowsOf(rounds).map(({ figure, medians }) => [
    figure,
    ...servers.map((server) => shown(medians.get(server))),
    ...others.map((other) => shown(ratio(medians.get(first), medians.get(other)))),
  ]);
  const widths = head.map((_, column) => Math.max(3, ...[head, ...lines].map((l) => l[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...lines.map(line)].join('\n');
}

const serversOf = (rounds: readonly Round[]): string[] =>
  [...new Set(rounds.map(({ server }) => server))].sort(oursFirst);

const oursFirst = (a: string, b: string): number => Number(b === 'ours') - Number(a === 'ours');

const ratio = (a = Number.NaN, b = Number.NaN): number => (b === 0 ? Number.NaN : a / b);

/** Formats a value with up to three significant digits, or as an integer from ±100 on; empty for NaN. */
export function shown(value = Number.NaN): string {
  if (Number.isNaN(value)) return '';
  return String(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
}
