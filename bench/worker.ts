// Takes one measure in a separate process, so that measures do not affect each other's memory.
import type { Figures, Options, Subject } from './rig/measure.ts';
import { MEASURES } from './measures.ts';

export interface Job {
  readonly measure: string;
  readonly subject: Subject;
  readonly options: Options;
}

export type Outcome = { readonly figures: Figures } | { readonly error: string };

async function outcomeOf({ measure: name, subject, options }: Job): Promise<Outcome> {
  const measure = MEASURES.find((candidate) => candidate.name === name);
  if (!measure) throw new Error(`invariant violation: no measure ${name}`);
  try {
    return { figures: await measure.run(subject, options) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.once('message', (job: Job) => {
  void outcomeOf(job).then((outcome) => process.send?.(outcome, () => process.exit(0)));
});
// The process ends with its parent, which was interrupted.
process.once('disconnect', () => process.exit(1));
