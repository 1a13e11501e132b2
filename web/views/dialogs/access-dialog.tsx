// Access and tokens: the shares and, for an admin, all tokens.
import { useCallback } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { CloseForm, useModal } from '../../parts/modal.tsx';
import { DialogNotices } from '../../parts/page-notices.tsx';
import { openDialog } from '../../state/page/page-store.ts';
import { ShareList } from './share-list.tsx';
import { TokenPart } from './token-part.tsx';
import { useAsked } from '../../parts/use-asked.tsx';

export function AccessDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useModal();
  const { client } = useConsole();
  const isAdmin = useStore(
    processStore,
    ({ connection }) => connection.kind === 'online' && connection.role === 'admin',
  );
  const { answer, problem, askAgain } = useAsked(
    useCallback(() => client.connection.request('console/shares', {}), [client]),
  );
  const shares = answer?.shares ?? [];
  return (
    <dialog ref={dialog} className="dialog access wide" aria-labelledby="access-title" onClose={onClose}>
      <h2 id="access-title">Access and tokens</h2>
      <div className="access-body" tabIndex={0} role="region" aria-labelledby="access-title">
        {problem === null ? null : (
          <p role="alert" className="dialog-problem">
            {problem}
          </p>
        )}
        <section aria-labelledby="access-shares">
          <header className="access-part">
            <h3 id="access-shares">Shares</h3>
            <button
              type="button"
              className="secondary small"
              data-begin-here
              onClick={() => openDialog('shareAll')}
            >
              Share the console …
            </button>
          </header>
          {shares.length > 0 ? (
            <ShareList shares={shares} onChanged={askAgain} />
          ) : (
            <p className="hint">
              {isAdmin ? 'There are no shares.' : 'You have no shares.'} A share link gives read-only access
              to one process, or to all, until it expires. Share a single process from its menu.
            </p>
          )}
        </section>
        {isAdmin ? (
          <TokenPart />
        ) : (
          <section aria-labelledby="access-tokens">
            <h3 id="access-tokens">Tokens</h3>
            <p className="hint">
              Only an admin can list and revoke tokens. To sign in as one, open the link that this command
              prints on the gateway’s machine: <code>exec-console link --role admin</code> (in a clone of the
              repository: <code>npx exec-console link --role admin</code>).
            </p>
          </section>
        )}
      </div>
      <div className="access-foot">
        <DialogNotices />
        <CloseForm />
      </div>
    </dialog>
  );
}
