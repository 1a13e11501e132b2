// All tokens: name, role, expiry, and whether each is in use; they are created and revoked here.
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { TokenInfo } from '../../../protocol/access.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { Initial } from '../../parts/initial.tsx';
import { agoText, durationText, numberText } from '../../../text/amounts.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { showProblem } from '../../state/page/page-store.ts';
import { useNow } from '../../parts/use-now.tsx';
import { visible } from '../../../text/visible.ts';
import { NewToken } from './new-token.tsx';
import { RevokeButton } from './revoke-button.tsx';
import { useAsked } from '../../parts/use-asked.tsx';

/** Number of tokens shown initially; the others are shown on request, since every sign-in creates a token. */
const SHOWN_AT_FIRST = 12;

export function TokenPart() {
  const { client } = useConsole();
  const [isMaking, setMaking] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const { answer, problem, askAgain } = useAsked(
    useCallback(() => client.connection.request('console/tokens', {}), [client]),
  );
  const tokens = (answer?.tokens ?? []).toReversed().toSorted((one, other) => weight(other) - weight(one));
  const shown = showsAll ? tokens : tokens.slice(0, SHOWN_AT_FIRST);
  const revoke = (id: string): void =>
    void client.connection.request('console/revokeToken', { id }).then(
      () => {
        showProblem(null);
        askAgain();
      },
      (error: unknown) => showProblem(errorSentence(error)),
    );
  return (
    <section aria-labelledby="access-tokens">
      <header className="access-part">
        <h3 id="access-tokens">Tokens</h3>
        {isMaking ? null : (
          <button type="button" className="secondary small" onClick={() => setMaking(true)}>
            <Plus size={14} aria-hidden="true" />
            New token
          </button>
        )}
      </header>
      {isMaking ? <NewToken onMade={askAgain} onDone={() => setMaking(false)} /> : null}
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      <ul className="access-list" aria-label="Tokens">
        {shown.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => revoke(token.id)} />
        ))}
      </ul>
      {tokens.length > shown.length ? (
        <button type="button" className="link-button" onClick={() => setShowsAll(true)}>
          Show {numberText(tokens.length - shown.length)} more
        </button>
      ) : null}
    </section>
  );
}

/** Returns the sorting weight: connected tokens first, then the most recently used; equal ones stay newest first. */
const weight = ({ connected, lastSeenAtMs }: TokenInfo): number =>
  (connected > 0 ? Number.MAX_SAFE_INTEGER / 2 : 0) + (lastSeenAtMs ?? 0);

const KINDS: { readonly [kind in TokenInfo['kind']]: string | null } = {
  token: null,
  page: 'signed in on a page',
  gateway: 'built-in token of the gateway',
};

function TokenRow({ token, onRevoke }: { readonly token: TokenInfo; readonly onRevoke: () => void }) {
  const { id, role, kind, connected, isOwn } = token;
  const nowMs = useNow(true);
  const name = visible(token.name);
  return (
    <li>
      <Initial name={name} />
      <div className="access-what">
        <span className="access-name" title={`${name}, ${id}`}>
          {name}
          {isOwn ? <span className="person-you"> (you)</span> : null}{' '}
          <span className={`role-chip ${role}`}>{role}</span>
        </span>
        <span className="access-about">
          {connected > 0 ? (
            <span className="access-live">
              <span className="connection-dot" aria-hidden="true" /> connected now
              {connected > 1 ? ` (${connected})` : ''}
            </span>
          ) : (
            seenText(token, nowMs)
          )}
          {KINDS[kind] === null ? '' : ` · ${KINDS[kind]}`}
          {kind === 'gateway'
            ? ''
            : token.expiresAtMs === null
              ? ' · never expires'
              : ` · expires in ${durationText(token.expiresAtMs - nowMs)}`}
        </span>
      </div>
      {kind === 'gateway' ? null : (
        <RevokeButton
          act="Revoke"
          what={name}
          question={
            isOwn
              ? 'Revoke your own token and sign out?'
              : connected === 0
                ? `Revoke ${name}?`
                : `Revoke ${name}, and close ${connected === 1 ? 'its connection' : `its ${connected} connections`}?`
          }
          onRevoke={onRevoke}
        />
      )}
    </li>
  );
}

function seenText({ kind, lastSeenAtMs, createdAtMs }: TokenInfo, nowMs: number): string {
  if (lastSeenAtMs !== null) return `last used ${agoText(nowMs - lastSeenAtMs)}`;
  const unused = 'not used since the gateway started';
  // The gateway's own tokens have the time of its start, although their file may be older.
  return kind === 'gateway' ? unused : `created ${agoText(nowMs - createdAtMs)}, ${unused}`;
}
