// Progress that a program reports (OSC 9;4): a small bar and the percentage or, without one, a word.
import type { Progress } from '../../protocol/console.ts';

const WORDS: { readonly [state in Progress['state']]: string } = {
  normal: 'Progress reported by the program',
  error: 'The program reports an error in its progress',
  indeterminate: 'The program reports that it is busy, without a percentage',
  paused: 'The program reports that it has paused',
};

export function ProgressFact({ progress }: { readonly progress: Progress | null }) {
  if (!progress) return null;
  const { state, percent } = progress;
  return (
    <span className={`progress-fact ${state}`} title={WORDS[state]}>
      <span className="progress-bar" aria-hidden="true">
        <span style={{ width: `${percent ?? 100}%` }} />
      </span>
      {percent === null ? (state === 'normal' ? 'busy' : state) : `${percent}%`}
    </span>
  );
}
