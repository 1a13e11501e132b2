// Takes a step of the ladder with one process or with many: asks where it hurts, sends, and keeps what became of it.
import { createStore } from 'zustand/vanilla';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { processStore } from '../processes/process-store.ts';
import { refusalText } from '../page/refusal.ts';
import { asksFirst, mayStep, type Step } from './ladder.ts';
import type { Done } from './report.ts';

/** What somebody wants, and where: there it is asked about. */
export interface Climb {
  readonly step: Step;
  readonly keys: readonly string[];
  readonly place: 'pane' | 'row' | 'tile' | 'list';
  /** Whether it goes on with what was done to several: then that is what is reported on. */
  readonly isOfTheRest?: boolean;
  /** What the step only begins: it is asked about by that name, and done in the place of the step. */
  readonly errand?: {
    readonly name: string;
    readonly note: string;
    readonly run: (tell: (problem: string) => void) => void;
  };
}

interface LadderState {
  /** What waits for a yes. */
  readonly question: Climb | null;
  /** The last step that was taken, and what was refused of it. */
  readonly done: Done | null;
}

export const ladderStore = createStore<LadderState>(() => ({ question: null, done: null }));

interface Parts {
  readonly client: ExecClient;
}

/** `tell` hears why one of one was refused. */
export function climb(parts: Parts, wanted: Climb, tell: (problem: string) => void): void {
  const nowMs = Date.now();
  if (ableOf(wanted).some((info) => asksFirst(info, wanted.step, nowMs))) {
    ladderStore.setState({ question: wanted });
  } else void carryOut(parts, wanted, tell);
}

/** The answer to the question is yes. */
export function agree(parts: Parts, tell: (problem: string) => void): void {
  const { question } = ladderStore.getState();
  withdraw();
  if (question) void carryOut(parts, question, tell);
}

export const withdraw = (): void => ladderStore.setState({ question: null });
export const forgetDone = (): void => ladderStore.setState({ done: null });

/** Those of them with which the step can be taken now. */
export function ableOf({ keys, step }: Pick<Climb, 'keys' | 'step'>): readonly ProcessInfo[] {
  const { processes } = processStore.getState();
  return keys.flatMap((key) => {
    const info = processes[key];
    return info && mayStep(info, step) ? [info] : [];
  });
}

async function carryOut({ client }: Parts, wanted: Climb, tell: (problem: string) => void): Promise<void> {
  if (wanted.errand) return wanted.errand.run(tell);
  const keys = ableOf(wanted).map(({ key }) => key);
  const former = wanted.isOfTheRest ? ladderStore.getState().done : null;
  const isOfSeveral = wanted.keys.length > 1 || former !== null;
  const done: Done = { step: wanted.step, keys: former?.keys ?? keys, refused: former?.refused ?? [] };
  ladderStore.setState({ done });
  const answers = await Promise.allSettled(keys.map((key) => send(client, wanted.step, key)));
  const refused = answers.flatMap((answer, at) =>
    answer.status === 'rejected' ? [{ key: keys[at] ?? '', problem: refusalText(answer.reason) }] : [],
  );
  if (!isOfSeveral) {
    for (const { problem } of refused) tell(problem);
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
