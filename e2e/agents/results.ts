// Results of a run as text: a line per scenario, and a summary at the end.
import { durationText } from '../../text/amounts.ts';
import { table } from '../../server/cli/table.ts';

export interface Result {
  /** Command of the agent. */
  readonly agent: string;
  readonly door: string;
  readonly scenario: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  /** Reasons for a state other than `passed`. */
  readonly why: readonly string[];
}

const MARKS = { passed: 'PASS', failed: 'FAIL', skipped: 'SKIP' } as const;

const nameOf = ({ agent, door, scenario }: Result): string => `${agent} ${door} ${scenario}`;

export const lineOf = (result: Result): string =>
  [`${MARKS[result.state]}  ${nameOf(result)}  ${durationText(result.ms)}`, ...result.why].join('\n      ');

export function countsOf(results: readonly Result[]): Record<Result['state'], number> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { state } of results) counts[state] += 1;
  return counts;
}

/** Returns a table of counts and times by agent and door, the failed and skipped scenarios, and the totals. */
export function summary(results: readonly Result[]): string {
  const groups = new Set(results.map(({ agent, door }) => `${agent} ${door}`));
  const rows = [...groups].map((name) => {
    const group = results.filter(({ agent, door }) => `${agent} ${door}` === name);
    const ms = group.reduce((sum, each) => sum + each.ms, 0);
    const counts = Object.values(countsOf(group)).map(String);
    return [...name.split(' '), ...counts, durationText(ms)];
  });
  const others = results
    .filter(({ state }) => state !== 'passed')
    .map((result) => `${MARKS[result.state]}  ${nameOf(result)}: ${result.why[0] ?? ''}`);
  const { passed, failed, skipped } = countsOf(results);
  return [
    table([['AGENT', 'DOOR', 'PASSED', 'FAILED', 'SKIPPED', 'TIME'], ...rows]),
    ...(others.length > 0 ? ['', ...others] : []),
    '',
    `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ].join('\n');
}
