// One step of the ladder for one or more processes: asks for confirmation where a mistake would be costly, sends
// the requests, and stores the outcome.
import { createStore } from 'zustand/vanilla';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { asSentence } from '../../../text/error-text.ts';
import { processStore } from '../processes/process-store.ts';
import { refusalText } from '../page/refusal.ts';
import { asksFirst, mayStep, type Step } from './ladder.ts';
import type { Done } from './report.ts';

/** A requested step, and where its confirmation is shown. */
export interface Climb {
  readonly step: Step;
  readonly keys: readonly string[];
  readonly place: 'pane' | 'row' | 'tile' | 'list';
  /** True when the step continues an earlier one on several processes; the report then covers all of them. */
  readonly isOfTheRest?: boolean;
  /** Action that replaces the step, such as a restart; the confirmation shows its name. */
  readonly errand?: {
    readonly name: string;
    readonly note: string;
    readonly run: (report: (problem: string) => void) => void;
  };
}

interface LadderState {
  /** Step that waits for confirmation. */
  readonly question: Climb | null;
  /** Last step, with its refusals. */
  readonly done: Done | null;
}

export const ladderStore = createStore<LadderState>(() => ({ question: null, done: null }));

interface Parts {
  readonly client: ExecClient;
}

/** Performs the step, or asks first; calls `report` with the reason when the step on a single process is refused. */
export function climb(parts: Parts, wanted: Climb, report: (problem: string) => void): void {
  const nowMs = Date.now();
  if (ableOf(wanted).some((info) => asksFirst(info, wanted.step, nowMs))) {
    ladderStore.setState({ question: wanted });
  } else void carryOut(parts, wanted, report);
}

/** Performs the step that waits for confirmation. */
export function agree(parts: Parts, report: (problem: string) => void): void {
  const { question } = ladderStore.getState();
  withdraw();
  if (question) void carryOut(parts, question, report);
}

export const withdraw = (): void => ladderStore.setState({ question: null });
export const forgetDone = (): void => ladderStore.setState({ done: null });

/** Returns the processes on which the step is possible now. */
export function ableOf({ keys, step }: Pick<Climb, 'keys' | 'step'>): readonly ProcessInfo[] {
  const { processes } = processStore.getState();
  return keys.flatMap((key) => {
    const info = processes[key];
    return info && mayStep(info, step) ? [info] : [];
  });
}

async function carryOut({ client }: Parts, wanted: Climb, report: (problem: string) => void): Promise<void> {
  if (wanted.errand) return wanted.errand.run(report);
  const keys = ableOf(wanted).map(({ key }) => key);
  const former = wanted.isOfTheRest ? ladderStore.getState().done : null;
  const done: Done = { step: wanted.step, keys: former?.keys ?? keys, refused: former?.refused ?? [] };
  ladderStore.setState({ done });
  const answers = await Promise.allSettled(keys.map((key) => send(client, wanted.step, key)));
  const refused = answers.flatMap((answer, at) =>
    answer.status === 'rejected' ? [{ key: keys[at] ?? '', problem: refusalText(answer.reason) }] : [],
  );
  // A report on a single process has no place for refusals.
  if (done.keys.length <= 1) {
    for (const { problem } of refused) report(asSentence(problem));
  } else if (refused.length > 0 && ladderStore.getState().done === done) {
    ladderStore.setState({ done: { ...done, refused: [...done.refused, ...refused] } });
  }
}

function send({ connection }: Parts['client'], step: Step, key: string): Promise<unknown> {
  switch (step) {
    case 'interrupt':
      return connection.request('process/signal', { key, signal: 'interrupt' });
    case 'terminate':
      return connection.request('process/terminate', { key });
    case 'kill':
      return connection.request('process/terminate', { key, graceMs: 0 });
    case 'endEscaped':
      return connection.request('process/terminate', { key, escaped: true });
  }
}
