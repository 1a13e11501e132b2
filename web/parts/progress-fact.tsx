// Progress that a program reports (OSC 9;4): a small bar and a number.
import type { Progress } from '../../protocol/console.ts';

const WORDS: { readonly [state in Progress['state']]: string } = {
  normal: 'It says how far it has come',
  error: 'It says that something went wrong on its way',
  indeterminate: 'It says that it is busy, and not how far it has come',
  paused: 'It says that it pauses',
};

export function ProgressFact({ progress }: { readonly progress: Progress | null }) {
  if (!progress) return null;
  const { state, percent } = progress;
  return (
    <span className={`progress-fact ${state}`} title={WORDS[state]}>
      <span className="progress-bar" aria-hidden="true">
        <span style={{ width: `${percent ?? 100}%` }} />
      </span>
      {percent === null ? (state === 'normal' ? 'busy' : state) : `${percent} %`}
    </span>
  );
}
