// Active shares: process, expiry, number of guests, and a button to revoke each.
import { Eye } from 'lucide-react';
import { useStore } from 'zustand';
import type { ShareInfo } from '../../../protocol/access.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processName } from '../../../text/command-line.ts';
import { showProblem } from '../../state/page/page-store.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { durationText } from '../../../text/amounts.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { useNow } from '../../parts/use-now.tsx';
import { visible } from '../../../text/visible.ts';
import { RevokeButton } from './revoke-button.tsx';

interface ShareListProps {
  readonly shares: readonly ShareInfo[];
  readonly onChanged: () => void;
}

export function ShareList({ shares, onChanged }: ShareListProps) {
  const { client } = useConsole();
  const processes = useStore(processStore, (state) => state.processes);
  const nowMs = useNow(shares.length > 0);
  return (
    <ul className="access-list" aria-label="Active shares">
      {shares.toReversed().map(({ id, key, madeBy, isOwn, expiresAtMs, connected }) => {
        const info = key === null ? null : processes[key];
        const what =
          key === null ? 'All processes' : info ? processName(info) : 'A process that no longer exists';
        return (
          <li key={id}>
            <div className="access-what">
              <span className={`access-name ${info ? 'mono' : ''}`} title={what}>
                {what}
              </span>
              <span className="access-about">
                {isOwn ? '' : `by ${visible(madeBy)} · `}expires in {durationText(expiresAtMs - nowMs)}
                {' · '}
                {connected > 0 ? (
                  <span className="access-live">
                    <Eye size={13} aria-hidden="true" /> {guests(connected)}
                  </span>
                ) : (
                  'no guests'
                )}
              </span>
            </div>
            <RevokeButton
              act="Revoke"
              what={`the share: ${what}`}
              question={
                connected > 0
                  ? `Revoke this share, and disconnect ${guests(connected)}?`
                  : 'Revoke this share?'
              }
              onRevoke={() =>
                void client.connection.request('console/revokeShare', { id }).then(
                  () => {
                    showProblem(null);
                    onChanged();
                  },
                  (error: unknown) => showProblem(errorSentence(error)),
                )
              }
            />
          </li>
        );
      })}
    </ul>
  );
}

const guests = (connected: number): string => (connected === 1 ? '1 guest' : `${connected} guests`);
