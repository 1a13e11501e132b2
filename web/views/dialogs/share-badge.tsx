// Shows guests of a share that their access is read-only, and when it expires.
import { dateTimeText, durationText } from '../../../text/amounts.ts';
import { Eye } from 'lucide-react';
import { useStore } from 'zustand';
import { processStore } from '../../state/processes/process-store.ts';
import { useNow } from '../../parts/use-now.tsx';

export function ShareBadge() {
  const share = useStore(processStore, (state) => state.share);
  const nowMs = useNow(share !== null);
  if (!share) return null;
  const ends = dateTimeText(share.expiresAtMs);
  return (
    <span className="share-badge" title={`Read-only: you can watch until ${ends}, but not change anything`}>
      <Eye size={14} aria-hidden="true" />
      <span className="share-badge-text">
        Read-only<span className="share-badge-more">, shared with you</span>{' '}
        <span className="share-badge-ends">· expires in {durationText(share.expiresAtMs - nowMs)}</span>
      </span>
    </span>
  );
}
