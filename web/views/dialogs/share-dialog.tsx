// Creates a link that shows one or all processes to people without a token.
import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import type { ShareResult } from '../../../protocol/access.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processName } from '../../../text/command-line.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { whyNotChange } from '../../state/processes/why-not-start.ts';
import { showProblem } from '../../state/page/page-store.ts';
import { refusalSentence } from '../../state/page/refusal.ts';
import { CloseForm, useModal } from '../../parts/modal.tsx';
import { DialogNotices } from '../../parts/page-notices.tsx';
import { SHARE_LIFETIMES } from '../../state/processes/lifetimes.ts';
import { LinkNotes } from './link-notes.tsx';
import { SecretLine } from './secret-line.tsx';
import { ShareList } from './share-list.tsx';
import { useAsked } from '../../parts/use-asked.tsx';
import { useOneAtATime } from '../../parts/use-one-at-a-time.tsx';

interface ShareDialogProps {
  /** Key of the process; null for all processes. */
  readonly processKey: string | null;
  readonly onClose: () => void;
}

export function ShareDialog({ processKey, onClose }: ShareDialogProps) {
  const dialog = useModal();
  const { client } = useConsole();
  const info = useStore(processStore, (state) => (processKey === null ? null : state.processes[processKey]));
  const refusal = useStore(processStore, ({ connection }) => whyNotChange(connection));
  const [ttlMs, setTtlMs] = useState<number>(SHARE_LIFETIMES[0]?.ttlMs ?? 0);
  const [made, setMade] = useState<ShareResult | null>(null);
  const { answer, problem, askAgain } = useAsked(
    useCallback(() => client.connection.request('console/shares', {}), [client]),
  );
  const running = answer?.shares.filter(({ key }) => key === processKey) ?? [];

  const once = useOneAtATime();

  async function share(): Promise<void> {
    try {
      setMade(
        await client.connection.request('console/share', {
          ttlMs,
          ...(processKey !== null && { key: processKey }),
        }),
      );
      showProblem(null);
    } catch (error) {
      showProblem(refusalSentence(error));
    }
    askAgain();
  }

  const title = processKey === null ? 'Share the console' : 'Share this process';
  return (
    <dialog
      ref={dialog}
      className="dialog access share-dialog"
      aria-labelledby="share-title"
      onClose={onClose}
    >
      <header className="access-head">
        <h2 id="share-title">{title}</h2>
        {info ? <p className="share-subject">{processName(info)}</p> : null}
        <p className="access-note">
          {processKey === null
            ? 'Anyone with the link can watch every process, including later ones, but can’t change anything.'
            : 'Anyone with the link can watch this process with its past and future output, but can’t change anything. They can’t see other processes or people.'}
        </p>
      </header>
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      {made ? (
        <SecretLine label="Link" copies="link" text={made.url} isNext />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void once(share);
          }}
        >
          <fieldset className="lifetimes">
            <legend>The link expires after</legend>
            {SHARE_LIFETIMES.map((each) => (
              <label key={each.text}>
                <input
                  type="radio"
                  name="lifetime"
                  data-begin-here={each.ttlMs === ttlMs ? '' : undefined}
                  checked={each.ttlMs === ttlMs}
                  onChange={() => setTtlMs(each.ttlMs)}
                />
                {each.text}
              </label>
            ))}
          </fieldset>
          <div className="dialog-buttons start">
            <button
              type="submit"
              className="primary"
              disabled={refusal !== null}
              title={refusal ?? undefined}
            >
              Create link
            </button>
          </div>
        </form>
      )}
      {made ? (
        <>
          <p className="hint">
            Copy the link now: it is not shown again. It works until it expires or is revoked.
          </p>
          <LinkNotes url={made.url} />
        </>
      ) : null}
      {running.length > 0 ? (
        <section aria-labelledby="share-running">
          <h3 id="share-running">Active shares</h3>
          <ShareList shares={running} onChanged={askAgain} />
        </section>
      ) : null}
      <div className="access-foot">
        <DialogNotices />
        <CloseForm />
      </div>
    </dialog>
  );
}
